// What is said about meeting people, and how it is asked.
import type { Ask, Color, GameSummary, Opening, Rules } from '../protocol.ts'
import { ask } from '../state/session.svelte.ts'

export type Speed = 'blitz' | 'rapid' | 'slow' | 'correspondence'
export const SPEEDS: readonly Speed[] = ['blitz', 'rapid', 'slow', 'correspondence']

/** Somebody as others see them; a guest has no handle. */
export interface LobbyPlayer {
  handle: string | null
  rating: number
  provisional: boolean
  bot: boolean
}

/** An invitation to everybody, or to one person. */
export interface LobbyOffer {
  id: string
  by: LobbyPlayer
  /** Whom it is for, if for one person. */
  to: string | null
  rules: Rules
  /** What its maker wants to play; null leaves it to a toss. */
  color: Color | null
  rated: boolean
  category: string | null
  rating_min: number | null
  rating_max: number | null
  quick: boolean
  made: number
  yours: boolean
}

export interface CategoryRating {
  category: string
  rating: number
  provisional: boolean
  games: number
}

/** How games of one kind went for a person. */
export interface Tally {
  /** Null without clocks. */
  speed: Speed | null
  opening: Opening
  color: Color
  won: number
  drawn: number
  lost: number
}

export interface Person {
  handle: string
  bot: boolean
  made: number
  online: boolean
  blocked: boolean
  ratings: CategoryRating[]
  results: Tally[]
  games: GameSummary[]
}

export interface Leader {
  handle: string
  bot: boolean
  rating: number
  games: number
}

interface Wanted {
  rules: Rules
  color?: Color
  rated?: boolean
}

type MeetingAsk =
  | { type: 'lobby' | 'lobby_close' }
  | ({ type: 'offer'; rating_min?: number; rating_max?: number } & Wanted)
  | ({ type: 'challenge'; handle: string } & Wanted)
  | { type: 'offer_withdraw' | 'offer_accept' | 'challenge_decline'; offer: string }
  | { type: 'quick'; speed: Speed; opening: Opening; rated: boolean }
  | { type: 'block' | 'unblock' | 'person'; handle: string }
  | { type: 'person_games'; handle: string; before?: string }
  | { type: 'leaders'; category: string }

export type Told =
  | { type: 'lobby'; offers: LobbyOffer[]; challenges: LobbyOffer[]; players: number; games: number }
  | { type: 'lobby_changed'; new: LobbyOffer[]; gone: string[]; players: number; games: number }
  | { type: 'offered'; offer: LobbyOffer }
  | { type: 'offer_gone'; offer: string; declined: boolean }
  | ({ type: 'person' } & Person)
  | { type: 'person_games'; games: GameSummary[]; more: boolean }
  | { type: 'leaders'; leaders: Leader[] }
  | { type: 'done'; game?: string }
  | { type: 'refused'; why: string }
  | { type: 'paired'; game: string }
  | { type: 'challenged'; offer: LobbyOffer }

/** Asks about meeting people; a refusal is an answer like others. */
export function tell(what: MeetingAsk): Promise<Told> {
  return ask(what as unknown as Ask) as unknown as Promise<Told>
}
