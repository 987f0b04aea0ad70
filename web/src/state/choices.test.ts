import { expect, it } from 'vitest'
import { readChoices } from './choices.ts'
import { CUSTOM } from './rules.ts'

it('brings back what was chosen', () => {
  const chosen = { way: 'computer', level: 9, colour: 'white', clock: 'club', custom: { ...CUSTOM, minutes: 3 }, opening: 'balanced', rated: true }
  expect(readChoices(JSON.stringify(chosen))).toEqual(chosen)
})

it.each([null, '', 'null', '[]', '{', '42', '{"way":"three","level":-1,"colour":7,"custom":{"minutes":"x"},"opening":null,"rated":"yes"}'])(
  'starts with the defaults from %j',
  (stored) => {
    expect(readChoices(stored)).toEqual({ way: null, level: 0, colour: 'black', clock: 'casual', custom: CUSTOM, opening: 'standard', rated: false })
  },
)
