// What there is to be seen of a study: on the board and its squares, on the bar beside it and on the curve.
import { cellsOf, indexOf, name as squareName } from '../board/squares.ts'
import { t } from '../i18n/index.svelte.ts'
import { DOT, squareLabel } from '../state/words.ts'
import type { Analyst } from './analysis.svelte.ts'
import type { Reading } from './reading.svelte.ts'
import type { Review } from './review.svelte.ts'
import { graphed } from './review.ts'
import type { Study } from './study.svelte.ts'
import { forBlack, signed, valueForBlack } from './values.ts'
import type { Walk } from './walk.svelte.ts'
import { discs, openingName } from './words.ts'
import { NOTHING, ofAnalysis, ofReview } from './written.ts'

export class Shown {
  #study: Study
  #analyst: Analyst
  #review: Review
  #walk: Walk
  #reading: Reading
  /** Whether the reader wants values on the squares. */
  #values: () => boolean

  constructor(study: Study, analyst: Analyst, review: Review, walk: Walk, reading: Reading, values: () => boolean) {
    this.#study = study
    this.#analyst = analyst
    this.#review = review
    this.#walk = walk
    this.#reading = reading
    this.#values = values
  }

  position = $derived.by(() => this.#reading.line?.shown ?? this.#study.node)
  cells = $derived.by(() => cellsOf(this.position?.board ?? '-'.repeat(64)))
  /** The board shows a line that is no part of the tree. */
  onLine = $derived.by(() => (this.#reading.line?.shown ?? null) !== null)
  legal = $derived.by(() => {
    const node = this.#study.node
    return new Map(this.onLine || !node ? [] : node.legal.map((move) => [indexOf(move.square), move.turns.map(indexOf)] as const))
  })
  mover = $derived.by(() => (this.onLine ? null : (this.#study.node?.turn ?? null)))
  analysis = $derived.by(() => this.#analyst.found.get(this.#study.at) ?? null)
  /** What the review says of the moves of the main line, by their number. */
  reviewed = $derived.by(() => new Map((this.#review.report?.moves ?? []).map((move) => [move.number, move])))
  #inMain = $derived.by(() => this.#study.main.some((one) => one.id === this.#study.at))

  /** What is written on the squares: in a walk what the review says, so that board and words agree; else what the engine finds. */
  written = $derived.by(() => {
    const [study, walk, { trial, walking }] = [this.#study, this.#walk, this.#reading]
    if (this.onLine || !study.node) return NOTHING
    const move = walking && !trial && walk.stage !== 'end' && walk.before === study.at ? walk.move : null
    if (move) return ofReview(move, walk.stage === 'ask')
    if (trial ? !trial.open : !this.#values()) return NOTHING
    return ofAnalysis(this.analysis?.values ?? [], this.#inMain ? study.played : null, trial ? [] : study.node.book)
  })

  /** The squares say what was searched; what only the book knows leaves the other moves without a word. */
  searched = $derived.by(() => [...this.written.values()].some(({ rank }) => rank !== 'book'))

  /** The line of the curve: the game, where it was reviewed; else the one the reader steps along. */
  graphLine = $derived.by(() => (this.#review.report ? this.#study.main : this.#study.line))
  points = $derived.by(() => {
    const report = this.#review.report
    if (report && report.moves.length > 0) return graphed(report)
    return this.#study.line.map((one) => ({ number: one.number, value: valueForBlack(this.#analyst.found.get(one.id)?.values ?? [], one.turn)?.score ?? null }))
  })
  /** The moves worth a look. */
  stops = $derived.by(() => [...this.reviewed.values()].flatMap(({ number, mark, turning_point }) => (mark ? [{ number, mark, turning: turning_point }] : [])))
  /** What each move took, by its number, where that is known. */
  seconds = $derived.by(() => new Map(this.graphLine.flatMap(({ number, seconds }) => (seconds === null ? [] : [[number, seconds] as const]))))

  /** Who is ahead: what the walk speaks of, what the engine finds, what the curve says, or what the board comes to. */
  bar = $derived.by(() => {
    const [node, { move }, { trial, walking, line }] = [this.#study.node, this.#walk, this.#reading]
    const walks = walking && !trial
    if (walks && move && line) {
      return line.squares[0] !== move.square ? { score: forBlack(move.best_score, move.by), exact: move.exact } : { score: move.value_black, exact: move.exact }
    }
    const found = valueForBlack(this.analysis?.values ?? [], node?.turn ?? null)
    if (found && !walks) return found
    const value = this.#inMain ? this.points.find((point) => point.number === node?.number)?.value : undefined
    if (value !== undefined && value !== null) return { score: value, exact: this.reviewed.get(node?.number ?? 0)?.exact ?? false }
    if (found || !node || node.turn !== null) return found
    const counts = this.cells.reduce((sum, cell) => sum + (cell === 'black' ? 1 : cell === 'white' ? -1 : 0), 0)
    const empty = this.cells.filter((cell) => cell === null).length
    return { score: counts + Math.sign(counts) * empty, exact: true }
  })

  /** Whose turn it is, and what the opening is called. */
  caption = $derived.by(() => {
    if (!this.position) return ''
    const turn = this.position.turn ? t(`page-${this.position.turn}-to-move`).replace(/\.$/, '') : t('page-study-over')
    return [turn, openingName(this.position) || openingName(this.#study.node)].filter(Boolean).join(DOT)
  })

  /** A square in words. */
  describe = (index: number): string => {
    const cell = this.cells[index] ?? null
    const label = squareLabel(index, { cell, turns: this.legal.get(index)?.length ?? null, last: this.position?.square === squareName(index), hint: false })
    const value = this.written.get(index)
    const marks = this.onLine ? [] : (this.#study.node?.marks ?? []).filter(({ square }) => square === squareName(index))
    const words = [label, ...marks.map(({ kind }) => t(`page-study-mark-${kind}`).toLowerCase())]
    if (!value || cell) return words.join(', ')
    words.push(t('page-study-square-value', { value: typeof value.score === 'number' ? signed(value.score) : value.score }))
    if (value.rank === 'best') words.push(t('page-study-square-best'))
    const { found, book } = value
    if (value.under === '✓') words.push(t('page-study-square-exact'))
    else if (found) {
      words.push(t('page-study-square-depth', { depth: found.depth }))
      if (found.percent > 0 && found.percent < 100) words.push(t('page-study-square-percent', { percent: found.percent }))
      if (Math.round(found.spread) > 0) words.push(t('page-study-square-spread', { discs: discs(Math.round(found.spread)) }))
    }
    if (book) words.push(t('page-study-square-book', { value: signed(book.score) }), book.exact ? t('page-study-square-exact') : t('page-study-square-depth', { depth: book.depth }))
    if (value.played) words.push(t('page-study-square-played'))
    return words.join(', ')
  }
}
