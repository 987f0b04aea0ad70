import { expect, it } from 'vitest'
import { cellsOf } from '../board/squares.ts'
import lessons from './lessons.json'
import { answer, begin, best, isDone, play, result, waits, type Lesson } from './practice.ts'

const all = lessons as readonly Lesson[]
const named = (name: string) => all.find((lesson) => lesson.name === name)!

it('has one way through each lesson, by the moves that keep the best result', () => {
  expect(all.map(({ name }) => name)).toEqual(['corners', 'mobility', 'quiet'])
  for (const lesson of all) {
    let practice = begin(lesson)
    for (const [index, step] of lesson.steps.entries()) {
      expect(practice.cells, `${lesson.name} ${index}`).toEqual(cellsOf(step.board))
      const right = Object.entries(step.moves).findLast(([, move]) => move.score === best(step))?.[0] ?? ''
      practice = play(lesson, practice, right)!
      expect(practice.tried?.how).toBe('best')
      practice = answer(lesson, practice)
    }
    expect(isDone(lesson, practice)).toBe(true)
  }
})

it('leads on from what was really played: the answer in the data makes the next board', () => {
  for (const lesson of all) {
    for (const [index, next] of lesson.steps.slice(1).entries()) {
      const step = lesson.steps[index]!
      const found = Object.keys(step.moves).filter((square) => {
        const after = play(lesson, begin(lesson, index), square)!
        // As a wrong move is answered: by the data, not by the next board.
        const laid = answer(lesson, { ...after, step: index, tried: { square, step: index, how: 'loses' } })
        return JSON.stringify(laid.cells) === JSON.stringify(cellsOf(next.board))
      })
      expect(found.length, lesson.name).toBe(1)
    }
  }
})

it('answers a wrong move, waits, and begins the step again', () => {
  const lesson = named('corners')
  const tried = play(lesson, begin(lesson), 'h7')!
  expect(tried.tried).toEqual({ square: 'h7', step: 0, how: 'loses' })
  const answered = answer(lesson, tried)
  expect(answered.cells[63]).toBe('white')
  expect(waits(answered)).toBe(true)
  expect(play(lesson, answered, 'b8')).toBeNull()
  expect(begin(lesson, answered.step).cells).toEqual(cellsOf(lesson.steps[0]!.board))
})

it('tells a move that wins by less from one that loses, and refuses what is no move', () => {
  const lesson = named('quiet')
  expect(play(lesson, begin(lesson, 1), 'b6')?.tried?.how).toBe('wins')
  expect(play(lesson, begin(lesson, 1), 'b8')?.tried?.how).toBe('loses')
  expect(play(lesson, begin(lesson), 'a1')).toBeNull()
})

it('counts as players do, the winner first', () => {
  expect(result(10)).toBe('37–27')
  expect(result(-38)).toBe('51–13')
  expect(result(0)).toBe('32–32')
})
