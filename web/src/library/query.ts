// What is looked for, as the form has it and as the server wants it.
import { currentLanguage } from '../i18n/index.svelte.ts'
import type { LibraryQuery, LibraryResult } from '../protocol.ts'

export interface Form {
  player: string
  tournament: string
  from: string
  to: string
  result: LibraryResult | 'any'
}

export const NOTHING: Form = { player: '', tournament: '', from: '', to: '', result: 'any' }

function year(text: string): number | undefined {
  return /^\d{4}$/.test(text.trim()) ? Number(text) : undefined
}

/** Whether a year is typed that is none. */
export function isWrongYear(text: string): boolean {
  return text.trim() !== '' && year(text) === undefined
}

/** Only what is said is asked for. */
export function queryOf(form: Form, moves: string, board: string | null): LibraryQuery {
  const [from, to] = [year(form.from), year(form.to)]
  return {
    ...(board ? { board } : {}),
    ...(moves ? { moves } : {}),
    ...(form.player.trim() ? { player: form.player.trim() } : {}),
    ...(form.tournament.trim() ? { tournament: form.tournament.trim() } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(form.result === 'any' ? {} : { result: form.result }),
  }
}

/** The moves of an address: squares one after another, and nothing else. */
export function movesIn(text: string | null): string {
  return /^([a-h][1-8]){0,60}$/.test(text ?? '') ? (text ?? '') : ''
}

/** The address of the games that reach a position: moves, and the board before them unless it is the usual one. */
export function libraryHref(moves: string, board: string | null): string {
  return ['#/library', ...(board ? ['board', board] : []), moves].filter(Boolean).join('/')
}

/** `f5 d6 c3`. */
export function squaresOf(moves: string): string[] {
  return moves.match(/../g) ?? []
}

/** The widths of the three parts of a bar, in percent; nothing where no result is known. */
export function shares(count: { black_wins: number; draws: number; white_wins: number }): [number, number, number] {
  const all = count.black_wins + count.draws + count.white_wins
  const part = (number: number) => (all === 0 ? 0 : (100 * number) / all)
  return [part(count.black_wins), part(count.draws), part(count.white_wins)]
}

/** A number as the reader's language writes it. */
export function figure(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(currentLanguage(), options).replace('-', '−')
}
