// What a press on a square draws, while something is to be drawn.
import type { Square } from '../protocol.ts'
import { toggleArrow, toggleMark, type Tool } from './draw.ts'
import type { Study } from './study.svelte.ts'
import type { Arrow } from './wire.ts'

export class Pen {
  #tool = $state<Tool | null>(null)
  /** Where an arrow begins that has no end yet. */
  #from = $state<Square | null>(null)
  #study: Study

  constructor(study: Study) {
    this.#study = study
  }

  get tool(): Tool | null {
    return this.#tool
  }

  /** Where the arrow begins that is being drawn, as one that goes nowhere: a dot. */
  get begun(): Arrow[] {
    return this.#from ? [{ from: this.#from, to: this.#from }] : []
  }

  take(tool: Tool | null): void {
    this.#tool = tool
    this.#from = null
  }

  press(square: Square): void {
    if (!this.#tool) return
    if (this.#tool !== 'arrow') return this.mark(square, this.#tool)
    const from = this.#from
    this.#from = from === null ? square : null
    if (from !== null && from !== square) this.arrow(from, square)
  }

  mark(square: Square, shape: Exclude<Tool, 'arrow'>): void {
    void this.#study.draw((node) => ({ marks: toggleMark(node.marks, square, shape) }))
  }

  arrow(from: Square, to: Square): void {
    void this.#study.draw((node) => ({ arrows: toggleArrow(node.arrows, from, to) }))
  }
}
