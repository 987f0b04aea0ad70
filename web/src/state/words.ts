// Sentences the page puts together from what the server said.
import { name as squareName, other, type Cell } from '../board/squares.ts'
import { list, t } from '../i18n/index.svelte.ts'
import type { ByColor, Color, MoveView, OfferView, SeatView, Verdict, View } from '../protocol.ts'

/** What the player of one colour is called; who gave no name is "You", or the first or second player. */
export function playerName(seats: ByColor<SeatView>, colour: Color, levelName: (level: number) => string): string {
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

/** "White has no move. Black plays again." */
export function passNotice(passed: Color): string {
  return t(`page-notice-${passed}-passes`)
}

/** "Black wins 42–22." */
export function headline(verdict: Verdict): string {
  const score = { black: verdict.score.black, white: verdict.score.white }
  if (verdict.ending === 'scrapped') return t('page-result-scrapped')
  if (verdict.winner === null) return t('page-result-draw', score)
  const [high, low] = verdict.winner === 'black' ? [score.black, score.white] : [score.white, score.black]
  return t(`page-result-${verdict.winner}-wins`, { high, low })
}

/** Why it ended, and what lies behind the score. */
export function reasons(verdict: Verdict): string[] {
  const out: string[] = []
  const loser = verdict.whose
  switch (verdict.ending) {
    case 'full':
      out.push(t('page-why-full'))
      break
    case 'no_moves':
      out.push(t('page-why-no-moves'))
      break
    case 'wiped_out':
      out.push(t(`page-why-${loser ?? 'white'}-wiped-out`))
      break
    case 'resigned':
      out.push(t(`page-why-${loser ?? 'white'}-resigned`))
      break
    case 'out_of_time':
      out.push(t(`page-why-${loser ?? 'white'}-out-of-time`))
      break
    case 'scrapped':
      out.push(t('page-why-scrapped'))
      return out
  }
  if (verdict.late !== null && verdict.ending !== 'out_of_time') out.push(t(`page-why-${verdict.late}-late`))
  const { discs, score } = verdict
  if (discs.black !== score.black || discs.white !== score.white) {
    const empties = 64 - discs.black - discs.white
    const awarded = verdict.late === null && verdict.ending !== 'resigned' && verdict.ending !== 'out_of_time'
    const id = !awarded ? 'page-why-board' : verdict.winner === null ? 'page-why-empties-shared' : 'page-why-empties-winner'
    out.push(t(id, { black: discs.black, white: discs.white, empties }))
  }
  return out
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
}

/** "e6, empty, legal, turns 2 discs". */
export function squareLabel(index: number, facts: SquareFacts): string {
  const square = squareName(index)
  const parts = [t(facts.cell ? `page-square-${facts.cell}` : 'page-square-empty', { square })]
  if (facts.turns !== null) parts.push(t('page-square-legal', { count: facts.turns }))
  if (facts.last) parts.push(t('page-square-last'))
  if (facts.hint) parts.push(t('page-square-hint'))
  return parts.join(', ')
}
