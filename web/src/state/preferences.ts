// What a reader can choose, and how it is read back from this browser's storage.
import { guess, LANGUAGES, type Language } from '../i18n/languages.ts'

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export const BOARDS = ['green', 'slate', 'wood', 'contrast'] as const
export const SPEEDS = ['slow', 'normal', 'fast', 'none'] as const

export type Theme = (typeof THEMES)[number]
export type BoardColours = (typeof BOARDS)[number]
export type Speed = (typeof SPEEDS)[number]

export interface Prefs {
  language: Language
  theme: Theme
  board: BoardColours
  coordinates: boolean
  numbers: boolean
  legal: boolean
  /** Whether the name of the opening is shown while one plays. */
  openings: boolean
  speed: Speed
  sound: boolean
  keys: boolean
  /** The announcement that was read, and need not be shown again. */
  read: string
  /** Whether the reader is told that it is their turn while they look elsewhere. */
  notify: boolean
  /** Whether what the other player says is shown. */
  phrases: boolean
}

/** Stored text to preferences; anything unknown or broken falls back to its default. */
export function read(stored: string | null, languages: readonly string[]): Prefs {
  let raw: Record<string, unknown> = {}
  try {
    const value: unknown = JSON.parse(stored ?? '{}')
    if (value && typeof value === 'object') raw = value as Record<string, unknown>
  } catch {
    // A damaged entry is replaced at the next change.
  }
  const oneOf = <T extends string>(value: unknown, all: readonly T[], otherwise: T): T =>
    all.find((known) => known === value) ?? otherwise
  const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise)
  return {
    language: oneOf(raw['language'], LANGUAGES, guess(languages)),
    theme: oneOf(raw['theme'], THEMES, 'system'),
    board: oneOf(raw['board'], BOARDS, 'green'),
    coordinates: flag(raw['coordinates'], true),
    numbers: flag(raw['numbers'], false),
    legal: flag(raw['legal'], true),
    openings: flag(raw['openings'], true),
    speed: oneOf(raw['speed'], SPEEDS, 'normal'),
    sound: flag(raw['sound'], true),
    keys: flag(raw['keys'], true),
    read: typeof raw['read'] === 'string' ? raw['read'] : '',
    notify: flag(raw['notify'], false),
    phrases: flag(raw['phrases'], true),
  }
}
