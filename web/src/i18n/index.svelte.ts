// The page's words. `t` reads the language from reactive state, so a change of language redraws every sentence.
import { FluentBundle, type FluentVariable } from '@fluent/bundle'
import messages from 'virtual:messages'
import type { Packed } from '../../build/messages.ts'
import { LANGUAGES, type Language } from './languages.ts'

export type { Language }

const bundles = Object.fromEntries(
  LANGUAGES.map((language) => {
    const bundle = new FluentBundle(language, { useIsolating: false })
    return [language, bundle]
  }),
) as Record<Language, FluentBundle>

/** Adds the messages of a part of the page that is loaded when it is asked for. */
export function learn({ ids, texts }: Packed): void {
  const names = ids.split(' ')
  for (const language of LANGUAGES) {
    const body = (texts[language] ?? []).map((value, index) => ({ id: names[index] ?? '', value, attributes: {} }))
    bundles[language].addResource({ body }, { allowOverrides: true })
  }
}
learn(messages)

let language = $state<Language>('en')

export function currentLanguage(): Language {
  return language
}

export function speak(next: Language): void {
  language = next
  document.documentElement.lang = next
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
