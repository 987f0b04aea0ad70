// Words that come when they are needed: in the language of the reader, once, and again where they did not come.
import { beforeEach, expect, it, vi } from 'vitest'
import type { Part } from '../../build/messages.ts'

let words: typeof import('./index.svelte.ts')
let asked: string[]
let broken: string[]

/** A part with one message, said in each language. */
function part(id: string, en: string, es: string): Part {
  const bring = (language: string, text: string) => async () => {
    asked.push(`${id} ${language}`)
    if (broken.includes(`${id} ${language}`)) throw new Error('no network')
    return { ids: id, texts: { [language]: [text] } }
  }
  return { en: bring('en', en), es: bring('es', es) }
}
let a: Part
let b: Part

beforeEach(async () => {
  vi.resetModules()
  asked = []
  broken = []
  a = part('a', 'one', 'uno')
  b = part('b', 'two', 'dos')
  vi.stubGlobal('document', { documentElement: {} })
  words = await import('./index.svelte.ts')
})

it('are brought in the reader’s language only, and once', async () => {
  words.speak('es')
  await words.learn(a)
  await words.learn(a)
  expect(words.t('a')).toBe('uno')
  expect(asked).toEqual(['a es'])
})

it('follow a change of language, for every part that is loaded', async () => {
  await words.learn(a)
  await words.learn(b)
  words.speak('es')
  // Nothing is drawn half in one language and half in the other.
  expect(words.t('a')).toBe('one')
  await vi.waitFor(() => expect(words.currentLanguage()).toBe('es'))
  expect([words.t('a'), words.t('b')]).toEqual(['uno', 'dos'])
  words.speak('en')
  expect(words.currentLanguage()).toBe('en')
  expect(asked).toEqual(['a en', 'b en', 'a es', 'b es'])
})

it('end in the language that was asked for last', async () => {
  await words.learn(a)
  words.speak('es')
  words.speak('en')
  await vi.waitFor(() => expect(asked).toContain('a es'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(words.currentLanguage()).toBe('en')
})

it('stay in the language one has where the others cannot be had, and are asked for again', async () => {
  await words.learn(a)
  broken = ['a es']
  words.speak('es')
  await vi.waitFor(() => expect(asked).toContain('a es'))
  await new Promise((resolve) => setTimeout(resolve))
  expect([words.currentLanguage(), words.t('a')]).toEqual(['en', 'one'])
  broken = []
  words.speak('es')
  await vi.waitFor(() => expect(words.t('a')).toBe('uno'))
})
