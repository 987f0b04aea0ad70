// What a screen reader hears. Two regions, always in the page: one waits its turn, one does not.

let polite = $state('')
let assertive = $state('')
let flip = false

// The same sentence twice in a row must still be heard: an invisible difference makes it news.
function fresh(text: string): string {
  flip = !flip
  return flip ? text : `${text}\u00a0`
}

export function say(text: string): void {
  polite = fresh(text)
}

export function sayNow(text: string): void {
  assertive = fresh(text)
}

export function spoken(): { polite: string; assertive: string } {
  return { polite, assertive }
}
