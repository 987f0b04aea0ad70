import { has, t } from '../i18n/index.svelte.ts'
import { session } from './session.svelte.ts'

/** The name of a level in the reader's language; a level this page does not know is called by its number. */
export function levelName(level: number): string {
  const known = session.levels.find((one) => one.level === level)
  const id = `page-level-${known?.name ?? level}`
  return has(id) ? t(id) : t('page-level-number', { level })
}

/** One honest sentence about it, where there is one. */
export function levelNote(level: number): string {
  const id = `page-level-${session.levels.find((one) => one.level === level)?.name ?? level}-note`
  return has(id) ? t(id) : ''
}
