// Sentences about exercises.
import { currentLanguage, t } from '../i18n/index.svelte.ts'
import type { Exercise, ExerciseAnswer, ExerciseDay, ExerciseProgress } from '../protocol.ts'

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

/** What an answer is worth, and what would have been better. */
export function judged(exercise: Exercise, answer: ExerciseAnswer): string {
  const value = answer.values.find(({ square }) => square === answer.square)
  const [best] = answer.values
  const facts = { square: answer.square, best: answer.best[0] ?? best?.square ?? '' }
  if (exercise.task === 'repertoire' || !value || !best) return t(answer.right ? 'page-exercise-book-right' : 'page-exercise-book-wrong', facts)
  const kind = value.score > 0 ? 'wins' : value.score < 0 ? 'loses' : 'draws'
  const said = t(`page-exercise-${kind}`, { square: answer.square, result: outcome(value.score) })
  if (answer.right) return `${t('page-exercise-right')} ${said}`
  const better = best.score > 0 ? 'wins' : best.score < 0 ? 'loses' : 'draws'
  return `${said} ${t('page-exercise-better')} ${t(`page-exercise-${better}`, { square: facts.best, result: outcome(best.score) })}`
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
