// What the levels feel like, said where one is chosen.
import { has, t } from '../i18n/index.svelte.ts'
import { session } from './session.svelte.ts'

/** One honest sentence about it, where there is one. */
export function levelNote(level: number): string {
  const id = `page-strength-${session.levels.find((one) => one.level === level)?.name ?? level}`
  return has(id) ? t(id) : ''
}
