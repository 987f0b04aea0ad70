// A tree of variations as the page walks it. Nodes come from the server; nothing here plays a move.
import type { NodeId, StudyNode } from './wire.ts'

/** The four discs in the middle. */
export const START = `${'-'.repeat(27)}OX------XO${'-'.repeat(27)}`

export type Nodes = ReadonlyMap<NodeId, StudyNode>

/** Which move a reader last went to from a position: stepping forward goes there again. */
export type Chosen = ReadonlyMap<NodeId, NodeId>

/** From the start to this position. */
export function pathTo(nodes: Nodes, id: NodeId): StudyNode[] {
  const path: StudyNode[] = []
  for (let node = nodes.get(id); node; node = node.parent === null ? undefined : nodes.get(node.parent)) path.push(node)
  return path.reverse()
}

/** Where a step forward leads: to the move chosen before, else along the first. */
export function next(nodes: Nodes, id: NodeId, chosen: Chosen): NodeId | null {
  const children = nodes.get(id)?.children ?? []
  const before = chosen.get(id)
  return before !== undefined && children.includes(before) ? before : (children[0] ?? null)
}

/** The line that goes through a position, from the start to its end. */
export function lineThrough(nodes: Nodes, id: NodeId, chosen: Chosen = new Map()): StudyNode[] {
  const line = pathTo(nodes, id)
  for (let on = next(nodes, id, chosen); on !== null; on = next(nodes, on, chosen)) {
    const node = nodes.get(on)
    if (!node) break
    line.push(node)
  }
  return line
}

export function mainLine(nodes: Nodes): StudyNode[] {
  return lineThrough(nodes, 0)
}

/** The move beside this one, up or down among the variations in its place; the same where there is none. */
export function beside(nodes: Nodes, id: NodeId, by: -1 | 1): NodeId {
  const node = nodes.get(id)
  const siblings = node && node.parent !== null ? (nodes.get(node.parent)?.children ?? []) : []
  return siblings[siblings.indexOf(id) + by] ?? id
}

export interface Step {
  node: StudyNode
  /** What else was tried in place of this move. */
  variations: Step[][]
}

/** The tree as it is read: a line, and after each move what else was tried in its place. */
export function asText(nodes: Nodes, from: NodeId = 0): Step[] {
  const line: Step[] = []
  let at = nodes.get(from)
  while (at) {
    const [first, ...others] = at.children.flatMap((id) => nodes.get(id) ?? [])
    if (!first) break
    line.push({ node: first, variations: others.map((other) => [{ node: other, variations: [] }, ...asText(nodes, other.id)]) })
    at = first
  }
  return line
}

/** The text that holds all of a tree and nothing more: the moves, where there is nothing else to tell; with names, a file; with times, the
    one that has room for them, which knows no variations. */
export function formatFor(nodes: Nodes, names: { black: string; white: string; title: string } | null): 'transcript' | 'ggf' | 'sgf' {
  const all = [...nodes.values()]
  if (!all.every((node) => node.children.length < 2 && !node.comment && node.marks.length + node.arrows.length === 0)) return 'sgf'
  if (all.some((node) => node.seconds !== null)) return 'ggf'
  const usual = nodes.get(0)?.board === START && nodes.get(0)?.turn === 'black'
  return usual && !names?.black && !names?.white && !names?.title ? 'transcript' : 'sgf'
}
