// Sentences about exercises.
import { currentLanguage, t } from '../i18n/index.svelte.ts'
import type { Exercise, ExerciseAnswer, ExerciseDay, ExerciseProgress, ExerciseValue } from '../protocol.ts'
import { signed } from '../state/words.ts'

/** A result as players count it, the mover's discs first: "34–30". */
export function outcome(score: number): string {
  return `${32 + score / 2}–${32 - score / 2}`
}

/** "tomorrow", "in 3 days"; what comes sooner comes "later today". */
export function whenDue(due: number, now: number): string {
  const days = Math.round((due - now) / 86_400_000)
  return days < 1 ? t('page-exercise-today') : new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' }).format(days, 'day')
}

export function asked(exercise: Exercise): string {
  return t(`page-exercise-task-${exercise.task.replace('_', '-')}`, { color: t(exercise.turn) })
}

/** What a move comes to: a result where that is proven, else an estimate. */
function worth({ square, score, exact }: ExerciseValue): string {
  if (!exact) return t('page-exercise-estimate', { square, value: signed(score) })
  return t(`page-exercise-${score > 0 ? 'wins' : score < 0 ? 'loses' : 'draws'}`, { square, result: outcome(score) })
}

/** A move of an opening that loses no more discs can be played. */
const PLAYABLE = 3

/** What an answer is worth, and what would have been better, unless that is still to be found. */
export function judged(exercise: Exercise, answer: ExerciseAnswer, open = false): string {
  const of = (wanted: string | undefined) => answer.values.find(({ square }) => square === wanted)
  const [value, best] = [of(answer.square), of(answer.best[0])]
  if (!value || !best) return ''
  if (exercise.task === 'repertoire') {
    const lost = best.score - value.score
    const kind = answer.right ? (value === best ? 'right' : 'equal') : lost <= PLAYABLE ? 'playable' : 'mistake'
    return t(`page-exercise-book-${kind}`, { square: value.square, best: best.square, count: lost })
  }
  if (open) return worth(value)
  return answer.right ? `${t('page-exercise-right')} ${worth(value)}` : `${worth(value)} ${t('page-exercise-better')} ${worth(best)}`
}

/** "3 to repeat · 120 new · 14 remembered" */
export function progress({ due, new: fresh, known }: ExerciseProgress): string[] {
  const said = [t('page-exercise-due-count', { count: due }), t('page-exercise-known-count', { count: known })]
  if (fresh > 0) said.splice(1, 0, t('page-exercise-new-count', { count: fresh }))
  return said
}

/** The last days up to today, those without an answer too. */
export function lastDays(days: readonly ExerciseDay[], today: number, count: number): ExerciseDay[] {
  const known = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: count }, (_, i) => {
    const day = today - count + 1 + i
    return known.get(day) ?? { day, answered: 0, right: 0 }
  })
}
