// Begins a study and goes to it.
import { t } from '../i18n/index.svelte.ts'
import { detailOf } from '../library/rejected.ts'
import type { Why } from '../protocol.ts'
import { refusal } from '../state/refusal.ts'
import { go, studyHref } from '../state/route.svelte.ts'
import { ask, type StudySource } from './wire.ts'

/** A game of so many moves is worth a review; fewer are a position somebody wants to look at. */
const A_GAME = 12

const KEY = 'outflank.studied'
/** How many games are remembered with their study. */
const MOST = 50

/** Game → the study that was made of it in this browser, the latest first. */
function studied(): [game: string, study: string][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is [string, string] => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string')) : []
  } catch {
    return []
  }
}

export function studyOf(game: string): string | null {
  return studied().find(([one]) => one === game)?.[1] ?? null
}

function remember(game: string, study: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([[game, study], ...studied().filter(([one]) => one !== game)].slice(0, MOST)))
  } catch {
    // Another study is made the next time.
  }
}

/** Where the new study is, and how many more games the text holds; or why there is none, and what exactly is wrong with the text. */
export type Made = { study: string; href: string; more: number } | { refused: Why; why: string; detail: string }

/** Makes a study. `review`: a game is shown by what decided it. Every text that becomes a study does so here. */
export async function make(from: StudySource, review = true): Promise<Made> {
  const answer = await ask({ type: 'study_new', from })
  if (answer.type === 'study') {
    if (from.kind === 'game') remember(from.game, answer.study)
    return { study: answer.study, href: studyHref(answer.study, review && answer.nodes.length > A_GAME ? 'review' : null), more: answer.more ?? 0 }
  }
  const refused = answer.type === 'refused' ? answer.why : 'bad_text'
  return {
    refused,
    why: t(refusal(refused)),
    detail: answer.type === 'refused' ? detailOf(answer.detail) : '',
  }
}

export function whyNot({ why, detail }: { why: string; detail: string }): string {
  return detail ? `${why} (${detail})` : why
}

/** Nobody wanted the study after all. */
export function discard(study: string): void {
  void ask({ type: 'study_delete', study })
}

/** Makes a study and goes to it unless nobody wants that any more, in place of this page if it is to be left for good; why not, in a sentence,
    if that cannot be done. */
export async function begin(from: StudySource, review = true, { replace = false, wanted = (): boolean => true } = {}): Promise<string | null> {
  const made = await make(from, review)
  if ('why' in made) return whyNot(made)
  if (replace) location.replace(made.href)
  else if (wanted()) go(made.href)
  else discard(made.study)
  return null
}
