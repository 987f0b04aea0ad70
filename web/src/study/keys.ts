// The keys of the study: what each does, wherever the focus is outside a field or a dialog.
import { indexOf } from '../board/squares.ts'
import { prefs } from '../state/prefs.svelte.ts'

export interface Hands {
  back: () => void
  forward: () => void
  first: () => void
  last: () => void
  beside: (by: -1 | 1) => void
  undo: () => void
  redo: () => void
  remove: () => void
  engine: () => void
  values: () => void
  why: () => void
  next: () => void
  tryIt: () => void
  escape: () => void
  help: () => void
  /** Moves the focus to a square. */
  focus: (index: number) => void
}

/** How long a typed letter waits for its digit. */
const PAIR_MS = 2000

export function keys(hands: Hands): (event: KeyboardEvent) => void {
  let typed = { letter: '', at: 0 }
  const steps: Record<string, () => void> = {
    ArrowLeft: hands.back,
    ArrowRight: hands.forward,
    PageUp: hands.back,
    PageDown: hands.forward,
    ArrowUp: () => hands.beside(-1),
    ArrowDown: () => hands.beside(1),
    Home: hands.first,
    End: hands.last,
    Delete: hands.remove,
    Escape: hands.escape,
  }
  const letters: Record<string, () => void> = { v: hands.values, w: hands.why, n: hands.next, t: hands.tryIt, '?': hands.help }

  return (event) => {
    const target = event.target as HTMLElement
    if (event.altKey || event.defaultPrevented) return
    if (target.closest('dialog[open], input, select, textarea') || document.querySelector('dialog[open]')) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const act =
      event.ctrlKey || event.metaKey
        ? key === 'z'
          ? event.shiftKey ? hands.redo : hands.undo
          : key === 'y' ? hands.redo : undefined
        : steps[key]
    if (act) {
      event.preventDefault()
      return act()
    }
    if (event.ctrlKey || event.metaKey || !prefs.keys) return
    // A space presses the button it stands on.
    if (key === ' ' && !target.closest('button, a, [role=slider]')) {
      event.preventDefault()
      return hands.engine()
    }
    if (/^[a-h]$/.test(key)) typed = { letter: key, at: performance.now() }
    else if (/^[1-8]$/.test(key) && typed.letter && performance.now() - typed.at < PAIR_MS) {
      hands.focus(indexOf(typed.letter + key))
      typed.letter = ''
    } else letters[key]?.()
  }
}
