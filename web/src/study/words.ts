// Sentences about moves and what they cost, from what the server has checked.
import { currentLanguage, t } from '../i18n/index.svelte.ts'
import type { Color } from '../protocol.ts'
import { sentence } from '../reason/words.ts'
import { effect, found, onlyMove, weakest, type Sides } from './review.ts'
import type { Reason, Report, ReviewMove, StudyNode } from './wire.ts'

/** What stands behind a move: nothing where it is good, a mark in brackets where it probably cost something and that is not sure. */
export function glyphOf({ mark, perhaps }: ReviewMove): string {
  return mark ?? (perhaps && perhaps.loss >= 3 && perhaps.percent >= 50 ? '(?)' : '')
}

export function discs(count: number): string {
  return t('page-study-discs', { count })
}

/** "Move 20, White: e7 lost 5 discs and the lead." */
export function lost(move: ReviewMove): string {
  return t(`page-study-lost-${effect(move)}`, { number: move.number, color: t(move.by), square: move.square, discs: discs(move.loss) })
}

/** "mistake, 5 discs, turning point", behind a move of the list; "perhaps 3 discs; 70 % sure" where it is not sure. */
export function judged(move: ReviewMove): string {
  if (!move.class && move.perhaps) return t('page-study-perhaps', { discs: discs(move.perhaps.loss), percent: move.perhaps.percent })
  const words = [t(`page-study-class-${move.class ?? 'good'}`), discs(move.loss)]
  if (move.turning_point) words.push(t('page-study-turning-point'))
  return words.join(', ')
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
    ? t('page-study-decided', { number: turn.number, color: t(turn.by), square: turn.square, loss: turn.loss, discs: discs(turn.loss) })
    : t('page-study-decided-nothing')
  const phase = weakest(report, sides)
  return [[well, ...praise(report, sides)].join(' '), decided, t(phase ? `page-study-practise-${phase}` : 'page-study-practise-nothing'), ...remarks(report, sides)]
}

export function openingName(node: StudyNode | null): string {
  return node?.opening?.[currentLanguage()] ?? ''
}
