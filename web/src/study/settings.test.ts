import { expect, it } from 'vitest'
import { inOrder, readSettings, threadChoices, TO_THE_END, UNTIL_STOPPED, USUAL } from './settings.ts'

it('reads back what it wrote, and what is usual from anything else', () => {
  const mine = { strength: { by: 'depth', n: 18 }, threads: 2, values: false, thresholds: { good: 0, inaccuracy: 2, mistake: 6 } } as const
  expect(readSettings(JSON.stringify(mine))).toEqual(mine)
  for (const strength of [{ by: 'seconds', n: UNTIL_STOPPED }, { by: 'depth', n: TO_THE_END }] as const) {
    expect(readSettings(JSON.stringify({ strength })).strength).toEqual(strength)
  }
  for (const broken of [null, 'no', 'null', '[]', '{"strength":{"by":"depth","n":19},"threads":"x","thresholds":null}']) {
    expect(readSettings(broken)).toEqual({ strength: { by: 'seconds', n: 20 }, threads: 1, values: true, thresholds: USUAL })
  }
})

it('offers threads up to what the machine has', () => {
  expect([1, 2, 3, 5, 16].map(threadChoices)).toEqual([[1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, 4, 6, 8, 12, 16]])
})

it('keeps each class above the one before', () => {
  expect(inOrder({ good: 5, inaccuracy: 2, mistake: 2 })).toEqual({ good: 5, inaccuracy: 6, mistake: 7 })
  expect(inOrder({ good: -1, inaccuracy: Number.NaN, mistake: 900 })).toEqual({ good: 0, inaccuracy: 1, mistake: 60 })
  expect(inOrder({ good: 70, inaccuracy: 70, mistake: 70 })).toEqual({ good: 58, inaccuracy: 59, mistake: 60 })
})
