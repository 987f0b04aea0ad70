// Begins a study and goes to it.
import { t } from '../i18n/index.svelte.ts'
import { go, studyHref } from '../state/route.svelte.ts'
import { ask, type StudySource } from './wire.ts'

/** A game of so many moves is worth a review; fewer are a position somebody wants to look at. */
const A_GAME = 12

/** Begins it; why not, in a sentence, if that cannot be done. `review`: a game is shown by what decided it. */
export async function begin(from: StudySource, review = true, replace = false): Promise<string | null> {
  const answer = await ask({ type: 'study_new', from })
  if (answer.type === 'refused') return t(`page-refused-${answer.why.replaceAll('_', '-')}`)
  if (answer.type !== 'study') return null
  const hash = studyHref(answer.study, review && answer.nodes.length > A_GAME ? 'review' : null)
  if (replace) location.replace(hash)
  else go(hash)
  return null
}
