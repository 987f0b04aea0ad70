// "Try it yourself": the reader plays one side from a position, the computer answers, and each move is told what it cost.
import { name, other } from '../board/squares.ts'
import { t } from '../i18n/index.svelte.ts'
import type { Color, Square } from '../protocol.ts'
import { say } from '../state/announce.svelte.ts'
import type { Analyst } from './analysis.svelte.ts'
import type { Study } from './study.svelte.ts'
import type { Strength } from './settings.ts'
import { discs } from './words.ts'
import type { Analysis, NodeId, ReviewMove, StudyNode } from './wire.ts'

/** How well the computer answers, and how well a move is judged. */
export const TRYING: Strength = { by: 'seconds', n: 1 }

/** What a move cost against which other, and whether that is sure. */
export interface Cost {
  lost: number
  best: Square
  sure: boolean
}

/** By a search that looked at all of them to the same depth. A loss is sure if it is proven, or larger than twice the usual error. */
export function cost(known: Analysis | null, square: Square): Cost | null {
  const value = known?.values.find((one) => one.square === square)
  const [best] = known?.values ?? []
  if (!value || !best) return null
  const lost = best.score - value.score
  return { lost, best: best.square, sure: (value.exact && best.exact) || lost > 2 * Math.max(value.spread, best.spread) }
}

/** By a review, which has looked at the move played and at the best ones; null of any other. */
export function reviewedCost({ best, square: played, loss, sure }: ReviewMove, square: Square): Cost | null {
  const [first = square] = best
  return best.includes(square) ? { lost: 0, best: first, sure: true } : square === played ? { lost: loss, best: first, sure } : null
}

/** What there is to say of a move. */
export function told(square: Square, cost: Cost | null): string {
  if (!cost) return ''
  const { lost, best, sure } = cost
  return lost <= 0 ? t('page-study-try-best', { square }) : t(sure ? 'page-study-try-lost' : 'page-study-try-unsure', { square, discs: discs(lost), best })
}

/** How a game ended for this side, the empty squares going to the winner; null while it goes on. */
export function outcome({ board, turn }: StudyNode, side: Color): (() => string) | null {
  if (turn !== null) return null
  const count = (disc: string) => board.split(disc).length - 1
  const [own, theirs] = side === 'black' ? [count('X'), count('O')] : [count('O'), count('X')]
  const rest = Math.sign(own - theirs) * (64 - own - theirs)
  const [first, second] = [own + Math.max(0, rest), theirs + Math.max(0, -rest)]
  return () => t(own > theirs ? 'page-result-you-win' : own < theirs ? 'page-result-you-lose' : 'page-result-draw', { first, second })
}

export class Trial {
  readonly from: NodeId
  readonly side: Color
  thinking = $state(false)
  /** The values are shown: the reader gave up guessing here. */
  open = $state(false)
  /** What there is to say of the last move. */
  #said = $state.raw<() => string>(() => t('page-study-try-begin', { color: t(this.side) }))

  #study: Study
  #analyst: Analyst
  /** What the review says of the move that was played from there. */
  #reviewed: ReviewMove | null

  constructor(study: Study, analyst: Analyst, from: NodeId, side: Color, reviewed: ReviewMove | null) {
    this.#study = study
    this.#analyst = analyst
    this.from = from
    this.side = side
    this.#reviewed = reviewed
    study.go(from)
    say(this.said)
  }

  /** It is no part of a walk: an exercise led here. */
  get isExercise(): boolean {
    return this.#reviewed === null
  }

  get said(): string {
    return this.#said()
  }

  async play(index: number): Promise<void> {
    const study = this.#study
    const square = name(index) as Square
    if (this.thinking || study.node?.turn !== this.side) return
    if (!study.node.legal.some((move) => move.square === square)) return this.#tell(() => t('page-study-not-legal', { square }))
    const at = study.at
    // The review has looked further than a moment's search does: the two shall not contradict each other.
    const reviewed = at === this.from && this.#reviewed ? reviewedCost(this.#reviewed, square) : null
    this.thinking = true
    const judged = reviewed ?? cost(await this.#analyst.know(at, TRYING), square)
    this.thinking = false
    if (study.at !== at || !(await study.play(square))) return
    this.open = false
    this.#tell(() => told(square, judged))
    const said = this.#said
    await this.#answer()
    const result = study.node && outcome(study.node, this.side)
    if (result) this.#tell(() => `${said()} ${result()}`.trim())
  }

  /** The computer moves until it is the reader's turn again. */
  async #answer(): Promise<void> {
    const study = this.#study
    while (study.node?.turn === other(this.side)) {
      const at = study.at
      this.thinking = true
      const known = await this.#analyst.know(at, TRYING)
      this.thinking = false
      const square = known?.line[0] ?? known?.values[0]?.square
      // The reader went elsewhere meanwhile.
      if (!square || study.at !== at || !(await study.play(square))) return
    }
  }

  /** To the reader's last choice, to try another move. */
  back(): void {
    const study = this.#study
    do study.back()
    while (study.at !== this.from && study.node?.turn !== this.side)
    this.#tell(() => t('page-study-try-begin', { color: t(this.side) }))
  }

  get canGoBack(): boolean {
    return this.#study.at !== this.from && !this.thinking
  }

  #tell(words: () => string): void {
    this.#said = words
    say(this.said)
  }
}
