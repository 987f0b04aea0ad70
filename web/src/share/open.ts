// A text becomes a study.
import { upload } from '../library/upload.ts'
import type { LibraryRejected, LibraryReport } from '../protocol.ts'
import { ask } from '../state/session.svelte.ts'

/** The study, and how many more games the text holds; or why not, as the message that says it. */
export type Opened = { study: string; more: number } | { why: string; detail: LibraryRejected | null }

export async function openText(text: string): Promise<Opened> {
  const answer = await ask({ type: 'study_new', from: { kind: 'text', text } })
  if (answer.type === 'study') return { study: answer.study, more: answer.more ?? 0 }
  if (answer.type !== 'refused') return { why: 'page-refused-bad-text', detail: null }
  return { why: `page-refused-${answer.why.replaceAll('_', '-')}`, detail: answer.detail ?? null }
}

export type Added = LibraryReport

/** Puts games into the library; null if that did not work. */
export function addAll(sources: readonly (File | string)[]): Promise<Added | null> {
  return upload(sources.map((source) => (typeof source === 'string' ? { name: '', text: source } : source)))
}
