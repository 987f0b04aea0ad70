// A line that is looked at without being part of the tree: the best moves, how a mistake is answered, what was better.
import type { Square } from '../protocol.ts'
import { ask, type LineBoard, type NodeId } from './wire.ts'

export class ShownLine {
  readonly at: NodeId
  readonly squares: readonly Square[]
  boards = $state.raw<readonly LineBoard[]>([])
  /** How many of its moves are on the board. */
  step = $state(0)

  constructor(study: string, at: NodeId, squares: readonly Square[], step = 0) {
    this.at = at
    this.squares = squares
    this.step = step
    void ask({ type: 'study_line', study, at, squares: [...squares] }).then((answer) => {
      if (answer.type === 'study_line') this.boards = answer.boards
    })
  }

  /** What is on the board; nothing until the server has played the line, or before its first move. */
  get shown(): LineBoard | null {
    return this.boards[Math.min(this.step, this.boards.length) - 1] ?? null
  }

  get ended(): boolean {
    return this.boards.length > 0 && this.step >= this.boards.length
  }

  go(step: number): void {
    this.step = Math.max(0, Math.min(step, this.squares.length))
  }
}
