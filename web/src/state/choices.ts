// What was chosen for the last game, so that the next one takes one tap. Kept in this browser.
import type { Opening, Preset } from '../protocol.ts'
import { CUSTOM, problemOf, type CustomClock } from './rules.ts'

export type Way = 'two' | 'computer' | 'nearby'
export const WAYS: readonly Way[] = ['two', 'computer', 'nearby']
export const COLOURS = ['black', 'white', 'toss'] as const
export type ColourChoice = (typeof COLOURS)[number]
const OPENINGS: readonly Opening[] = ['standard', 'balanced']

export interface Choices {
  /** How the last game was played; null before the first. */
  way: Way | null
  /** The computer's level; 0 lets the page choose. */
  level: number
  colour: ColourChoice
  clock: Preset | 'custom'
  custom: CustomClock
  opening: Opening
  /** Whether a game by a link counts, for whoever is signed in. */
  rated: boolean
}

const KEY = 'outflank.choices'

/** Stored text to choices; anything unknown or broken falls back to its default. */
export function readChoices(stored: string | null): Choices {
  let raw: Partial<Record<keyof Choices, unknown>> = {}
  try {
    const value: unknown = JSON.parse(stored ?? '{}')
    if (value && typeof value === 'object') raw = value
  } catch {
    // A damaged entry is replaced at the next game.
  }
  const oneOf = <T, U>(value: unknown, all: readonly T[], otherwise: U): T | U => all.find((known) => known === value) ?? otherwise
  const custom = { ...CUSTOM, ...(raw.custom && typeof raw.custom === 'object' ? raw.custom : {}) }
  return {
    way: oneOf(raw.way, WAYS, null),
    level: typeof raw.level === 'number' && Number.isInteger(raw.level) && raw.level > 0 ? raw.level : 0,
    colour: oneOf(raw.colour, COLOURS, 'black'),
    // The server says which clocks there are: a name it does not know is not offered.
    clock: typeof raw.clock === 'string' ? (raw.clock as Preset | 'custom') : 'casual',
    custom: problemOf(custom) ? { ...CUSTOM } : custom,
    opening: oneOf(raw.opening, OPENINGS, 'standard'),
    rated: raw.rated === true,
  }
}

export function recall(): Choices {
  try {
    return readChoices(localStorage.getItem(KEY))
  } catch {
    return readChoices(null)
  }
}

export function keep(choices: Partial<Choices>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), ...choices }))
  } catch {
    // Not remembered; nothing else is lost.
  }
}
