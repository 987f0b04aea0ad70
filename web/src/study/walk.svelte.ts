// The walk through a review: at which move the reader stands, and what they asked to see of it.
import { say } from '../state/announce.svelte.ts'
import { ShownLine } from './lines.svelte.ts'
import type { Review } from './review.svelte.ts'
import { moments, shows, type Sides } from './review.ts'
import type { Study } from './study.svelte.ts'
import { because, called, lost, whatHappens } from './words.ts'
import type { NodeId, ReviewMove } from './wire.ts'

/** The question, why it was wrong, what was better; or the end of the walk. */
export type Stage = 'ask' | 'why' | 'better' | 'end'

export class Walk {
  sides = $state<Sides>('both')
  stage = $state<Stage>('ask')
  /** The line that is played on the board. */
  line = $state.raw<ShownLine | null>(null)
  /** The number of the move it stands at; another only while the review still finds worse ones. */
  #number = $state<number | null>(null)

  #study: Study
  #review: Review

  constructor(study: Study, review: Review, number: number | null) {
    this.#study = study
    this.#review = review
    this.#number = number
  }

  get moments(): ReviewMove[] {
    return this.#review.report ? moments(this.#review.report, this.sides, this.#number) : []
  }

  get index(): number {
    return Math.max(0, this.moments.findIndex((move) => move.number === this.#number))
  }

  get move(): ReviewMove | null {
    return this.moments[this.index] ?? null
  }

  /** The position before the move. */
  get before(): NodeId | null {
    const number = this.move?.number
    return this.#study.main.find((node) => node.number === number)?.parent ?? null
  }

  /** To a stop of the walk; past the last is its end. */
  go(index: number): void {
    this.line = null
    const move = this.moments[index]
    this.stage = move ? 'ask' : 'end'
    if (!move) return
    this.#number = move.number
    this.#study.go(this.before)
    say(`${lost(move)} ${called(move)}`)
  }

  /** Walks through the moves of these sides from their first. */
  choose(sides: Sides): void {
    this.#number = null
    this.sides = sides
    this.go(0)
  }

  /** To the stop at this move, if it is marked. */
  stopAt(number: number): boolean {
    const { report } = this.#review
    const index = report ? moments(report, this.sides, number).findIndex((move) => move.number === number) : -1
    if (index < 0) return false
    this.#number = number
    this.go(index)
    return true
  }

  /** The review may find worse moves: the reader is at this one and stays. */
  stay(): void {
    this.#number = this.move?.number ?? null
  }

  why(): void {
    const { move, before } = this
    if (!move || before === null) return
    this.stay()
    this.stage = 'why'
    this.#study.go(before)
    this.line = new ShownLine(this.#study.id, before, shows(move), 1)
    say(because(move.reason, move) ?? whatHappens(move))
  }

  better(): void {
    const { move, before } = this
    if (!move || before === null) return
    this.stay()
    this.stage = 'better'
    this.#study.go(before)
    this.line = new ShownLine(this.#study.id, before, move.better)
  }

  /** The question again; from now on it stays at this move. */
  again(): void {
    this.stay()
    this.stage = 'ask'
    this.line = null
    this.#study.go(this.before)
  }
}
