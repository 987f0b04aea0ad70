import { expect, it } from 'vitest'
import { guess } from '../i18n/languages.ts'
import { read } from './preferences.ts'

it('guesses the language from the reader’s list', () => {
  expect(guess(['es-MX', 'en'])).toBe('es')
  expect(guess(['de', 'ES'])).toBe('es')
  expect(guess(['de', 'fr'])).toBe('en')
  expect(guess([])).toBe('en')
})

it('keeps what it knows and replaces what it does not', () => {
  const prefs = read('{"theme":"dark","board":"plaid","numbers":true,"sound":"loud","language":"es"}', ['en'])
  expect(prefs).toMatchObject({ theme: 'dark', board: 'green', numbers: true, sound: true, language: 'es' })
})

it.each([null, '', 'null', '[]', '{', '42', '"x"'])('starts with the defaults from %j', (stored) => {
  expect(read(stored, ['es'])).toMatchObject({ theme: 'system', language: 'es', legal: true, speed: 'normal' })
})
