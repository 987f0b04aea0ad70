// Sentences about moves and what they cost, from what the server has checked.
import { currentLanguage, t } from '../i18n/index.svelte.ts'
import type { Color } from '../protocol.ts'
import { sentence } from '../reason/words.ts'
import { effect, found, onlyMove, weakest, type Sides } from './review.ts'
import type { Reason, Report, ReviewMove, StudyNode } from './wire.ts'

export function discs(count: number): string {
  return t('page-study-discs', { count })
}

/** "Move 20, White: e7 lost 5 discs and the lead." Where it is not sure: "e7 perhaps lost 3 discs." */
export function lost(move: ReviewMove): string {
  return t(`page-study-lost-${move.class ? effect(move) : 'perhaps'}`, { number: move.number, color: t(move.by), square: move.square, discs: discs(move.loss) })
}

/** "mistake, turning point"; "70 % sure" where that is not known. */
export function called(move: ReviewMove): string {
  if (!move.class) return t('page-study-square-percent', { percent: move.perhaps?.percent ?? 0 })
  const name = t(`page-study-class-${move.class}`)
  return move.turning_point ? `${name}, ${t('page-study-turning-point')}` : name
}

/** The same with what was lost, behind a move of the list: "5 discs, mistake", or "perhaps 3 discs; 70 % sure". */
export function judged(move: ReviewMove): string {
  return move.class ? `${discs(move.loss)}, ${called(move)}` : t('page-study-perhaps', { discs: discs(move.loss), sure: called(move) })
}

/** The reason that a search has checked, in words; null where none was found. */
export function because(reason: Reason | null, move: ReviewMove): string | null {
  return reason && sentence(reason, move.square, move.best[0])
}

/** What the reader sees where no reason was found: what happens. */
export function whatHappens(move: ReviewMove): string {
  const [reply] = move.refutation
  return reply ? t('page-study-what-happens', { square: move.square, reply }) : t('page-study-nothing-follows', { square: move.square })
}

/** So little in a whole game is worth a word. */
const FEW = 6
const A_GAME = 20

/** What was done well and is not done every day: the only good move found, or next to nothing lost. */
function praise(report: Report, sides: Sides): string[] {
  const colors = sides === 'both' ? (['black', 'white'] as const) : [sides]
  const said = colors
    .filter((color) => report[color].loss <= FEW && found(report, color).moves >= A_GAME)
    .map((color) => t(report[color].loss === 0 ? 'page-study-praise-nothing-lost' : 'page-study-praise-little-lost', { color: t(color), discs: discs(report[color].loss) }))
  const only = onlyMove(report, sides)
  if (only) said.push(t('page-study-praise-only', { number: only.number, color: t(only.by), square: only.square, discs: discs(only.only_by ?? 0) }))
  return said
}

/** How many mistakes were made in haste, and how many moves were nobody's. */
function remarks(report: Report, sides: Sides): string[] {
  const said = (['black', 'white'] as const)
    .filter((color) => sides === 'both' || sides === color)
    .flatMap((color) => (report[color].haste ? [t('page-study-haste', { ...report[color].haste, color: t(color) })] : []))
  const given = report.moves.filter((move) => move.given).length
  return given > 0 ? [...said, t('page-study-given', { count: given })] : said
}

/** At the end of the walk: what went well, what decided it, what to practise; and what there is to remark on times and given moves. */
export function summary(report: Report, sides: Sides): string[] {
  const good = (color: Color) => ({ ...found(report, color), color: t(color) })
  const well =
    sides === 'both'
      ? t('page-study-well-both', { black: good('black').best, blackmoves: good('black').moves, white: good('white').best, whitemoves: good('white').moves })
      : t('page-study-well', good(sides))
  const turn = report.moves.find((move) => move.number === report.decided_at)
  const decided = turn
    ? t('page-study-decided', { number: turn.number, color: t(turn.by), square: turn.square, discs: discs(turn.loss) })
    : t('page-study-decided-nothing')
  const phase = weakest(report, sides)
  return [[well, ...praise(report, sides)].join(' '), decided, t(phase ? `page-study-practise-${phase}` : 'page-study-practise-nothing'), ...remarks(report, sides)]
}

export function openingName(node: Pick<Partial<StudyNode>, 'opening'> | null): string {
  return node?.opening?.[currentLanguage()] ?? ''
}
