// A text becomes a study.
import { ask } from '../state/session.svelte.ts'

/** The study, and how many more games the text holds; or why not, as the message that says it. */
export type Opened = { study: string; more: number } | { why: string }

export async function openText(text: string): Promise<Opened> {
  const answer = await ask({ type: 'study_new', from: { kind: 'text', text } })
  if (answer.type === 'study') return { study: answer.study, more: answer.more ?? 0 }
  return { why: `page-refused-${(answer.type === 'refused' ? answer.why : 'bad_text').replaceAll('_', '-')}` }
}

export interface Added {
  added: number
  already_there: number
  rejected: readonly unknown[]
}

/** Puts games into the library; null if that did not work. */
export async function addAll(sources: readonly (File | string)[]): Promise<Added | null> {
  const all = { added: 0, already_there: 0, rejected: [] as unknown[] }
  for (const source of sources) {
    const name = typeof source === 'string' ? '' : `?name=${encodeURIComponent(source.name)}`
    try {
      const response = await fetch(`/api/library${name}`, { method: 'POST', body: source })
      if (!response.ok) return null
      const added = (await response.json()) as Added
      all.added += added.added
      all.already_there += added.already_there
      all.rejected.push(...added.rejected)
    } catch {
      return null
    }
  }
  return all
}
