// The page's words. `t` reads the language from reactive state, so a change of language redraws every sentence.
import { FluentBundle, type FluentVariable } from '@fluent/bundle'
import words from 'virtual:messages'
import type { Packed, Part } from '../../build/messages.ts'
import { LANGUAGES, type Language } from './languages.ts'

export type { Language }

const bundles = Object.fromEntries(
  LANGUAGES.map((language) => {
    const bundle = new FluentBundle(language, { useIsolating: false })
    return [language, bundle]
  }),
) as Record<Language, FluentBundle>

function add({ ids, texts }: Packed): void {
  const names = ids.split(' ')
  for (const language of LANGUAGES) {
    const body = (texts[language] ?? []).map((value, index) => ({ id: names[index] ?? '', value, attributes: {} }))
    bundles[language].addResource({ body }, { allowOverrides: true })
  }
}
// In tests they are there at once.
const isPacked = (words: Packed | Part): words is Packed => typeof words['ids'] === 'string'
if (isPacked(words)) add(words)

let language = $state<Language>('en')

/** The parts that were loaded, with the languages in which their messages have come. */
const parts = new Map<Part, Set<Language>>()

async function bring(part: Part, language: Language): Promise<void> {
  const there = parts.get(part)
  if (!there || there.has(language)) return
  const words = await part[language]?.()
  if (words) add(words)
  there.add(language)
}

/** Brings the messages of a part of the page that is loaded when it is asked for, in the language that is spoken. */
export async function learn(part: Part): Promise<void> {
  if (!parts.has(part)) parts.set(part, new Set())
  // The reader may choose another language meanwhile.
  for (let spoken: Language | null = null; spoken !== language; ) await bring(part, (spoken = language))
}

/** Brings the messages of the first page. Until then nothing can be said. */
export async function learnFirst(): Promise<void> {
  if (!isPacked(words)) await learn(words)
}

export function currentLanguage(): Language {
  return language
}

let wanted: Language = 'en'

/** Changes the language, as soon as all that is on the page can be said in it. */
export function speak(next: Language): void {
  wanted = next
  const change = () => {
    if (wanted !== next) return
    language = next
    document.documentElement.lang = next
  }
  const missing = [...parts.keys()].filter((part) => !parts.get(part)?.has(next))
  // Without the server the page goes on in the language it has.
  if (missing.length) Promise.all(missing.map((part) => bring(part, next))).then(change, () => {})
  else change()
}

/** The message `id` in the page's language. A missing one shows its id, which the tests look for. */
export function t(id: string, args?: Record<string, FluentVariable>): string {
  const bundle = bundles[language]
  const pattern = bundle.getMessage(id)?.value
  return pattern ? bundle.formatPattern(pattern, args) : id
}

export function has(id: string): boolean {
  return bundles[language].hasMessage(id)
}

/** "e5 and e4", "d3, c4 y f5". */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(language).format(items)
}

export function when(ms: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms)
}
