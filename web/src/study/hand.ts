// A hand on the board: the right button draws, a finger that is drawn across it steps.
import { SQUARES } from '../board/squares.ts'
import type { Square } from '../protocol.ts'
import { swiped } from './draw.ts'

/** The click that ends a swipe is none. */
const AFTERMATH_MS = 400

interface Does {
  /** Whether there is something to draw on. */
  draws: () => boolean
  /** Whether a finger steps. */
  swipes: () => boolean
  onmark: (square: Square) => void
  onarrow: (from: Square, to: Square) => void
  onstep: (by: number) => void
}

function squareAt(x: number, y: number): Square | null {
  const name = document.elementFromPoint(x, y)?.closest('[data-square]')?.getAttribute('data-square')
  return name && SQUARES.includes(name) ? (name as Square) : null
}

export class Hand {
  #does: Does
  #pressed: { square: Square | null; x: number; y: number; button: number } | null = null
  #swipedAt = -AFTERMATH_MS

  constructor(does: Does) {
    this.#does = does
  }

  get hasJustSwiped(): boolean {
    return performance.now() - this.#swipedAt < AFTERMATH_MS
  }

  press = ({ clientX: x, clientY: y, button }: PointerEvent): void => {
    this.#pressed = { square: squareAt(x, y), x, y, button }
  }

  cancel = (): void => {
    this.#pressed = null
  }

  release = ({ clientX, clientY, pointerType }: PointerEvent): void => {
    const from = this.#pressed
    this.#pressed = null
    if (!from) return
    if (from.button === 2 && from.square && this.#does.draws()) {
      const to = squareAt(clientX, clientY)
      if (to === from.square) this.#does.onmark(to)
      else if (to) this.#does.onarrow(from.square, to)
    }
    const step = pointerType === 'touch' && this.#does.swipes() ? swiped(clientX - from.x, clientY - from.y) : 0
    if (step !== 0) {
      this.#swipedAt = performance.now()
      this.#does.onstep(step)
    }
  }
}
