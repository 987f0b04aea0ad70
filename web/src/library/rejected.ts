// Why a game or a text is not taken, and where in it.
import { t } from '../i18n/index.svelte.ts'
import type { LibraryRejected } from '../protocol.ts'

/** "games.txt, game 2, line 7"; nothing for a text as a whole. */
export function place({ file, game, line }: LibraryRejected): string {
  const parts = [file]
  if (game !== null) parts.push(t('page-library-game-number', { game }))
  if (line !== null) parts.push(t('page-library-line', { line }))
  return parts.filter((part) => part !== '').join(', ')
}

/** "game 1, line 1: move 3: a1 turns no disc". */
export function said(one: LibraryRejected): string {
  return [place(one), t(one.why, one.with)].filter((part) => part !== '').join(': ')
}

/** What there is to add to the sentence that nothing could be read: not the same once more. */
export function detailOf(one: LibraryRejected | null | undefined): string {
  return one && one.why !== 'cli-why-unknown' ? said(one) : ''
}
