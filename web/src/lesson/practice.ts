// One lesson as it is tried by hand: pure. What may be played and what comes of it are in lessons.json, which a test of the engine
// writes and proves (crates/cli/tests/lesson.rs); the page itself knows no rules.
import { cellsOf, indexOf, type Cell } from '../board/squares.ts'

export interface Tried {
  turns: readonly string[]
  /** Black's result with best play from there on, in discs. */
  score: number
  /** How many moves White has then. */
  leaves: number
  answer: string
  answer_turns: readonly string[]
}

export interface Step {
  board: string
  moves: Readonly<Record<string, Tried>>
}

export interface Lesson {
  name: string
  steps: readonly Step[]
}

export interface Practice {
  /** The step that is asked now; as many as there are when the lesson is done. */
  step: number
  cells: readonly Cell[]
  /** Where the last disc was placed. */
  last: number | null
  /** What was tried last, in which step, and how it compares. */
  tried: { square: string; step: number; how: 'best' | 'wins' | 'loses' } | null
}

export function begin(lesson: Lesson, step = 0): Practice {
  return { step, cells: cellsOf(lesson.steps[step]?.board ?? ''), last: null, tried: null }
}

export const isDone = (lesson: Lesson, practice: Practice): boolean => practice.step >= lesson.steps.length

/** A move that is not the best waits for another try. */
export const waits = (practice: Practice): boolean => practice.tried !== null && practice.tried.how !== 'best'

/** The best result of a step. */
export function best(step: Step): number {
  return Math.max(...Object.values(step.moves).map(({ score }) => score))
}

function laid(cells: readonly Cell[], square: string, turns: readonly string[], by: Cell): Cell[] {
  const next = [...cells]
  for (const name of [square, ...turns]) next[indexOf(name)] = by
  return next
}

/** Black plays; the board as it is before White answers. Null where that square cannot be played. */
export function play(lesson: Lesson, practice: Practice, square: string): Practice | null {
  const step = lesson.steps[practice.step]
  const move = step?.moves[square]
  if (!step || !move || waits(practice)) return null
  const how = move.score === best(step) ? 'best' : move.score > 0 ? 'wins' : 'loses'
  return {
    step: how === 'best' ? practice.step + 1 : practice.step,
    cells: laid(practice.cells, square, move.turns, 'black'),
    last: indexOf(square),
    tried: { square, step: practice.step, how },
  }
}

/** White's answer to the move just tried. A lesson ends with Black's move. */
export function answer(lesson: Lesson, practice: Practice): Practice {
  const { tried } = practice
  if (!tried || isDone(lesson, practice)) return practice
  const move = lesson.steps[tried.step]?.moves[tried.square]
  if (!move) return practice
  const next = lesson.steps[practice.step]
  // Two moves can be equally good: the lesson goes on from the one it has thought of.
  const cells = tried.how === 'best' && next ? cellsOf(next.board) : laid(practice.cells, move.answer, move.answer_turns, 'white')
  return { ...practice, cells, last: indexOf(move.answer) }
}

/** "37–27": the winner's discs first. */
export function result(score: number): string {
  const lead = Math.abs(score) / 2
  return `${32 + lead}–${32 - lead}`
}
