// The keys of the game page: what each does, wherever the focus is outside a field or a dialog.
import { indexOf } from '../board/squares.ts'
import { openDialog } from './dialogs.svelte.ts'
import type { Game } from './game.svelte.ts'
import { prefs, set } from './prefs.svelte.ts'

export interface Hands {
  game: Game
  look: (ply: number) => void
  /** Moves the focus to a square. */
  focus: (index: number) => void
  newGame: () => void
}

/** How long a typed letter waits for its digit. */
const PAIR_MS = 2000

export function keys({ game, look, focus, newGame }: Hands): (event: KeyboardEvent) => void {
  let typed = { letter: '', at: 0 }

  /** Where a key leads in the game, or null. */
  function step(key: string): number | null {
    switch (key) {
      case 'ArrowLeft':
        return game.ply - 1
      case 'ArrowRight':
        return game.ply + 1
      case 'Home':
        return 0
      case 'End':
        return game.moves.length
      default:
        return null
    }
  }

  return (event) => {
    const target = event.target as HTMLElement
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (target.closest('dialog[open], input, select, textarea') || document.querySelector('dialog[open]')) return
    const ply = step(event.key)
    if (ply !== null) {
      event.preventDefault()
      return look(ply)
    }
    if (event.key === 'Escape' && !game.live) return look(game.moves.length)
    if (event.key === 'Escape' && game.premove !== null) return game.cancelPremove()
    if (!prefs.keys) return
    const key = event.key.toLowerCase()
    if (/^[a-h]$/.test(key)) {
      typed = { letter: key, at: performance.now() }
    } else if (/^[1-8]$/.test(key) && typed.letter && performance.now() - typed.at < PAIR_MS) {
      focus(indexOf(typed.letter + key))
      typed.letter = ''
    } else if (key === 'u' && (game.can('takeback') || game.can('ask_takeback'))) void game.takeback()
    else if (key === 'n' && (game.can('again') || game.can('ask_again'))) newGame()
    else if (key === 'i' && game.can('hint')) void game.askHint()
    else if (key === 'm') set('sound', !prefs.sound)
    else if (event.key === '?') openDialog('help')
  }
}
