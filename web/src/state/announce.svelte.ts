// What a screen reader hears. Two regions, always in the page: one waits its turn, one does not.
import { currentLanguage } from '../i18n/index.svelte.ts'

interface Said {
  text: string
  language: string
}
const NOTHING: Said = { text: '', language: '' }

let polite = $state.raw(NOTHING)
let assertive = $state.raw(NOTHING)
let flip = false

// The same sentence twice in a row must still be heard: an invisible difference makes it news.
function fresh(text: string): Said {
  flip = !flip
  return { text: flip ? text : `${text}\u00a0`, language: currentLanguage() }
}

export function say(text: string): void {
  polite = fresh(text)
}

export function sayNow(text: string): void {
  assertive = fresh(text)
}

/** What was said last; nothing that was said in another language than the reader's. */
export function spoken(): { polite: string; assertive: string } {
  const heard = (said: Said) => (said.language === currentLanguage() ? said.text : '')
  return { polite: heard(polite), assertive: heard(assertive) }
}
