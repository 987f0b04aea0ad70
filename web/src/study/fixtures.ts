// Studies for tests, without a server.
import type { Square } from '../protocol.ts'
import type { ReviewMove, StudyNode } from './wire.ts'
import { START, type Nodes } from './tree.ts'


export function node(id: number, more: Partial<StudyNode> = {}): StudyNode {
  return { id, parent: null, children: [], square: null, by: null, number: 0, board: START, turn: 'black', legal: [], passed: false, comment: '', marks: [], arrows: [], opening: null, seconds: null, ...more }
}

/** A tree from its moves: parent, square, id. */
export function tree(...moves: (readonly [parent: number, square: Square, id: number])[]): Nodes {
  const nodes = new Map([[0, node(0)]])
  for (const [parent, square, id] of moves) {
    const before = nodes.get(parent)
    if (!before) throw new Error(`no node ${parent}`)
    before.children.push(id)
    const number = before.number + 1
    nodes.set(id, node(id, { parent, square, number, by: number % 2 ? 'black' : 'white', turn: number % 2 ? 'white' : 'black' }))
  }
  return nodes
}

export function reviewed(number: number, more: Partial<ReviewMove> = {}): ReviewMove {
  return {
    number, by: number % 2 ? 'black' : 'white', square: 'f5', loss: 0, least: 0, error: 0, exact: false, sure: true, class: 'best', mark: null, turning_point: false, perhaps: null,
    best: ['f5'], score: 0, best_score: 0, value_black: 0, seconds: null, phase: 'midgame', better: ['f5'], refutation: [], reason: null, others: [], depth: 14, ...more,
  }
}
