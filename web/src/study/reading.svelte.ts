// How the reader gets about in a study: along its lines, through its review, and in a trial against the computer.
import { other } from '../board/squares.ts'
import { t } from '../i18n/index.svelte.ts'
import type { Color, Square } from '../protocol.ts'
import { say } from '../state/announce.svelte.ts'
import type { Analyst } from './analysis.svelte.ts'
import type { Panel } from './Layout.svelte'
import { ShownLine } from './lines.svelte.ts'
import type { Review } from './review.svelte.ts'
import type { Study } from './study.svelte.ts'
import { Trial } from './trial.svelte.ts'
import type { Walk } from './walk.svelte.ts'
import type { NodeId, ReviewMove } from './wire.ts'

/** Steps that follow each other sooner are hurried. */
const HURRY_MS = 400

export class Reading {
  /** The review is open. */
  walking = $state(false)
  trial = $state.raw<Trial | null>(null)
  /** The engine's line, looked at without being played. */
  peek = $state.raw<ShownLine | null>(null)
  /** What the drawer of a small window shows. */
  panel = $state<Panel>('line')
  /** The reader steps quickly, and discs turn quickly. */
  hurried = $state(false)
  /** A line that the reader took in hand: it plays itself no more. */
  handled = $state.raw<ShownLine | null>(null)
  /** A review was asked for since the walk was begun: it is not asked for twice. */
  asked = false

  #study: Study
  #analyst: Analyst
  #review: Review
  #walk: Walk
  #lastStep = 0

  constructor(study: Study, analyst: Analyst, review: Review, walk: Walk, walking: boolean) {
    this.#study = study
    this.#analyst = analyst
    this.#review = review
    this.#walk = walk
    this.walking = walking
  }

  /** The line on the board that is no part of the tree. */
  get line(): ShownLine | null {
    return this.trial ? null : this.walking ? this.#walk.line : this.peek
  }

  back = (): void => this.#move((line) => line.step - 1, () => this.#study.back())
  forward = (): void => this.#move((line) => line.step + 1, () => this.#study.forward())
  first = (): void => this.#move(() => 0, () => this.#study.first())
  last = (): void => this.#move((line) => line.squares.length, () => this.#study.last())

  /** To a step of the line that is walked. */
  along(step: number): void {
    this.#move(() => step, () => {})
  }

  beside(by: -1 | 1): void {
    this.#stepped()
    this.#study.beside(by)
    this.#tell()
  }

  go(to: NodeId): void {
    this.#stepped()
    this.trial = null
    const there = this.#study.nodes.get(to)
    if (this.walking && there && this.#study.main.some((one) => one.id === to) && this.#walk.stopAt(there.number)) return
    this.#walk.line = null
    this.#study.go(to)
    this.#tell()
  }

  /** To the move of this line with this number. */
  goToMove(line: readonly { id: NodeId; number: number }[], number: number): void {
    const to = line.find((one) => one.number === number)
    // A finger at rest on a stop of the walk does not begin it again and again.
    const there = this.walking && !this.trial && this.#walk.stage === 'ask' && this.#walk.move?.number === number
    if (to && to.id !== this.#study.at && !there) this.go(to.id)
  }

  /** Looks at a step of the engine's line. */
  point(best: readonly Square[], step: number): void {
    const squares = this.peek?.squares ?? best
    if (!this.peek || this.peek.at !== this.#study.at) this.peek = new ShownLine(this.#study.id, this.#study.at, squares)
    this.peek.go(step)
  }

  startWalk(): void {
    this.trial = null
    this.walking = true
    this.panel = 'line'
    if (this.#review.report) this.#walk.again()
    else this.asked = false
  }

  leaveWalk(): void {
    this.walking = false
    this.#walk.line = null
  }

  /** Plays a side from here against the computer. */
  play(from: NodeId, side: Color, reviewed: ReviewMove | null = null): void {
    this.walking = true
    this.panel = 'line'
    this.trial = new Trial(this.#study, this.#analyst, from, side, reviewed)
  }

  startTrying(): void {
    const { before, move } = this.#walk
    if (before === null || !move) return
    this.#walk.again()
    this.play(before, move.by, move)
  }

  stopTrying(): void {
    this.trial = null
    if (!this.#walk.move) this.leaveWalk()
    else if (this.walking) this.#walk.again()
  }

  /** One step out of what the reader is in. */
  escape(): void {
    if (this.trial) this.stopTrying()
    else if (this.peek) this.peek = null
    else if (this.#walk.line) this.#walk.again()
    else if (this.walking) this.leaveWalk()
  }

  /** Steps along the line that is shown, or through the study. */
  #move(along: (line: ShownLine) => number, otherwise: () => void): void {
    const { line } = this
    this.#stepped(line)
    if (line) {
      this.handled = line
      line.go(along(line))
      return
    }
    otherwise()
    this.#tell()
  }

  /** A step was made; what is looked at besides is gone, unless the step was along it. */
  #stepped(along: ShownLine | null = null): void {
    const now = performance.now()
    this.hurried = now - this.#lastStep < HURRY_MS
    this.#lastStep = now
    if (along !== this.peek) this.peek = null
    this.#walk.stay()
  }

  #tell(): void {
    const at = this.#study.node
    if (!at?.square || !at.by) return say(t('page-say-start'))
    const words = [t('page-study-say-move', { number: at.number, color: t(at.by), square: at.square })]
    if (at.passed) words.push(`${t(other(at.by))}: ${t('page-pass')}.`)
    say(words.join(' '))
  }
}
