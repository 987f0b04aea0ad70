// The computer's levels: their names, what is said about them, and which comes next.
import { has, t } from '../i18n/index.svelte.ts'
import type { View } from '../protocol.ts'
import { session } from './session.svelte.ts'
import { sideOf } from './words.ts'
import { other } from '../board/squares.ts'

/** The name of a level in the reader's language; a level this page does not know is called by its number. */
export function levelName(level: number): string {
  const known = session.levels.find((one) => one.level === level)
  const id = `page-level-${known?.name ?? level}`
  return has(id) ? t(id) : t('page-level-number', { level })
}

/** "7 · Keen". */
export function levelTitle(level: number): string {
  return t('page-level-title', { level, name: levelName(level) })
}

/** The level to try after this game: the next one, for who beat the computer. */
export function nextLevel(view: View): number | null {
  const side = sideOf(view.seats)
  if (!side || view.verdict?.winner !== side) return null
  const beaten = view.seats[other(side)].level
  const next = beaten === null ? null : beaten + 1
  return session.levels.some((one) => one.level === next) ? next : null
}
