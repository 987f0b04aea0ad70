// Sentences the page puts together from what the server said.
import { name as squareName, other, type Cell } from '../board/squares.ts'
import { list, t } from '../i18n/index.svelte.ts'
import type { ByColor, Color, GameSummary, MoveView, OfferView, Said, RatingChange, SeatView, Verdict, View } from '../protocol.ts'
import type { Pass } from './passes.ts'

/** What the player of one colour is called; who gave no name is "You", or the first or second player. */
export function playerName(seats: Seats, colour: Color, levelName: (level: number) => string): string {
  const seat = seats[colour]
  if (seat.kind === 'computer') return t('page-computer-level', { level: levelName(seat.level ?? 1) })
  if (seat.kind === 'open') return t('page-seat-open')
  if (typeof seat.name === 'string') return seat.name
  return seat.you && !seats[other(colour)].you ? t('player-you') : t(`player-${seat.name ?? 1}`)
}

/** "Luis asks for a rematch.", or what the reader asked for and of whom. */
export function offerText(view: View, offer: OfferView): string {
  const yours = view.seats[offer.by].you
  const name = playerName(view.seats, yours ? other(offer.by) : offer.by, String)
  return t(`page-offer-${yours ? 'yours-' : ''}${offer.what.replace('_', '-')}`, { name, over: view.verdict ? 'yes' : 'no' })
}

/** "Luis: Good luck!" */
export function saidText(seats: Seats, said: Said): string {
  return t('page-said', { name: playerName(seats, said.by, String), phrase: t(`page-phrase-${said.phrase.replaceAll('_', '-')}`) })
}

/** "Black e6, turns e5 and e4." */
export function moveSpoken(move: MoveView): string {
  return t('page-say-move', {
    color: t(move.by),
    square: move.square,
    count: move.flips.length,
    squares: list(move.flips),
  })
}

export function toMove(color: Color): string {
  return t(`page-${color}-to-move`)
}

/** "White has no move. Black plays again."; once Black has, "White had no move, so Black played again." */
export function passNotice(pass: Pass, mine: readonly Color[]): string {
  const who = mine.length === 1 ? (mine[0] === pass.by ? 'you' : 'they') : 'both'
  return t(`page-notice-${pass.by}-${pass.answered ? 'passed' : 'passes'}`, { who })
}

/** The same where a remark stands beside it: "White has no move." */
export function passBriefly(pass: Pass, mine: readonly Color[]): string {
  return t(`page-notice-${pass.by}-briefly`, { who: mine.length === 1 && mine[0] === pass.by ? 'you' : 'they' })
}

type Seats = ByColor<SeatView>

/** The colour of a reader who plays one side; null for one who plays both, or watches. */
export function sideOf(seats: Seats): Color | null {
  return seats.black.you === seats.white.you ? null : seats.black.you ? 'black' : 'white'
}

/** Whose number is said first: the reader's own, else the winner's. */
function firstOf(verdict: Verdict, seats: Seats): Color {
  return sideOf(seats) ?? verdict.winner ?? 'black'
}

/** "You win, 38–26!", "Ana wins 42–22." */
export function headline(verdict: Verdict, seats: Seats): string {
  if (verdict.ending === 'scrapped') return t('page-result-scrapped')
  if (verdict.ending === 'aborted') return t('page-result-aborted')
  const { score, winner } = verdict
  const first = firstOf(verdict, seats)
  const numbers = { first: score[first], second: score[other(first)] }
  if (winner === null) return t('page-result-draw', numbers)
  const side = sideOf(seats)
  if (side) return t(side === winner ? 'page-result-you-win' : 'page-result-you-lose', numbers)
  const { name } = seats[winner]
  return typeof name === 'string' ? t('page-result-name-wins', { ...numbers, name }) : t(`page-result-${winner}-wins`, numbers)
}

/** Why it ended, and what lies behind the score. */
export function reasons(verdict: Verdict, seats: Seats): string[] {
  const who = (color: Color | null) => (color !== null && color === sideOf(seats) ? 'you' : (color ?? 'white'))
  const out: string[] = []
  switch (verdict.ending) {
    case 'full':
      out.push(t('page-why-full'))
      break
    case 'no_moves':
      out.push(t('page-why-no-moves'))
      break
    case 'wiped_out':
      out.push(t(`page-why-${who(verdict.whose)}-wiped-out`))
      break
    case 'resigned':
      out.push(t(`page-why-${who(verdict.whose)}-resigned`))
      break
    case 'out_of_time':
      out.push(t(`page-why-${who(verdict.whose)}-out-of-time`))
      break
    case 'left':
      out.push(t(`page-why-${who(verdict.whose)}-left`))
      break
    case 'scrapped':
      return [t('page-why-scrapped')]
    case 'aborted':
      return [t(`page-why-${who(verdict.whose)}-aborted`)]
  }
  if (verdict.late !== null && verdict.ending !== 'out_of_time') out.push(t(`page-why-${who(verdict.late)}-late`))
  const { discs, score } = verdict
  if (discs.black !== score.black || discs.white !== score.white) {
    const first = firstOf(verdict, seats)
    const empties = 64 - discs.black - discs.white
    const awarded = verdict.late === null && verdict.ending !== 'resigned' && verdict.ending !== 'out_of_time' && verdict.ending !== 'left'
    const id = !awarded ? 'page-why-board' : verdict.winner === null ? 'page-why-empties-shared' : 'page-why-empties-winner'
    out.push(t(id, { first: discs[first], second: discs[other(first)], empties }))
  }
  return out
}

/** "Ana 1512 (+12) · Luis 1488 (−12)". */
export function ratingChanges(rated: ByColor<RatingChange>, seats: Seats): string {
  return (['black', 'white'] as const)
    .map((colour) => `${playerName(seats, colour, String)} ${rated[colour].after} (${signed(rated[colour].after - rated[colour].before)})`)
    .join(DOT)
}

/** "Well fought: you led until move 41.", for who lost on the board and had more discs for a good part of the game. */
export function comfort(verdict: Verdict, seats: Seats, moves: readonly MoveView[]): string | null {
  const side = sideOf(seats)
  const onBoard = verdict.ending === 'full' || verdict.ending === 'no_moves'
  if (!side || !onBoard || verdict.winner !== other(side)) return null
  const led = moves.findLast((move) => move.counts[side] > move.counts[other(side)])
  return led && led.number * 2 >= moves.length ? t('page-result-led', { move: led.number }) : null
}

/** Between things told in a row. It stays with the one before it where the row breaks. */
export const DOT = '\u00a0· '

/** How a game of the list stands: "Move 14 · White to move". */
export function summaryStands(summary: GameSummary): string {
  if (summary.verdict) return headline(summary.verdict, summary.seats)
  if (summary.status === 'waiting') return t('page-waiting-title')
  const move = t('page-card-move', { move: summary.ply + 1 })
  if (!summary.turn) return move
  const turn = summary.turn === sideOf(summary.seats) ? t('page-title-your-turn') : toMove(summary.turn)
  return move + DOT + turn.replace(/\.$/, '')
}

/** +20, −4, 0: Black's discs less White's. */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'
}

export interface SquareFacts {
  cell: Cell
  /** Discs a move here would turn; null where no move is possible. */
  turns: number | null
  last: boolean
  hint: boolean
  /** The reader has chosen it in advance. */
  planned?: boolean
}

/** "e6, empty, legal, turns 2 discs". */
export function squareLabel(index: number, facts: SquareFacts): string {
  const square = squareName(index)
  const parts = [t(facts.cell ? `page-square-${facts.cell}` : 'page-square-empty', { square })]
  if (facts.turns !== null) parts.push(t('page-square-legal', { count: facts.turns }))
  if (facts.last) parts.push(t('page-square-last'))
  if (facts.hint) parts.push(t('page-square-hint'))
  if (facts.planned) parts.push(t('page-square-premove'))
  return parts.join(', ')
}
