// Begins a study and goes to it.
import { t } from '../i18n/index.svelte.ts'
import { detailOf } from '../library/rejected.ts'
import { go, studyHref } from '../state/route.svelte.ts'
import { ask, type StudySource } from './wire.ts'

/** A game of so many moves is worth a review; fewer are a position somebody wants to look at. */
const A_GAME = 12

const KEY = 'outflank.studied'
/** So many games are remembered with their study. */
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

/** Begins it; why not, in a sentence, if that cannot be done. `review`: a game is shown by what decided it. */
export async function begin(from: StudySource, review = true, replace = false): Promise<string | null> {
  const answer = await ask({ type: 'study_new', from })
  if (answer.type === 'refused') {
    // What was set up by hand is no text: the only board without a position is one without a disc.
    const empty = from.kind === 'position' && answer.why === 'bad_text'
    const why = t(empty ? 'page-study-position-no-disc' : `page-refused-${answer.why.replaceAll('_', '-')}`)
    const detail = detailOf(answer.detail)
    return detail ? `${why} (${detail})` : why
  }
  if (answer.type !== 'study') return null
  if (from.kind === 'game') remember(from.game, answer.study)
  const hash = studyHref(answer.study, review && answer.nodes.length > A_GAME ? 'review' : null)
  if (replace) location.replace(hash)
  else go(hash)
  return null
}
