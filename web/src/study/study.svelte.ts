// The study on screen: the tree the server keeps, where in it the reader is, and what the reader changes.
import { indexOf } from '../board/squares.ts'
import type { Square, Why } from '../protocol.ts'
import { refusal } from '../state/refusal.ts'
import { session } from '../state/session.svelte.ts'
import { beside, lineThrough, mainLine, next, pathTo, type Nodes } from './tree.ts'
import { ask, listen, type Arrow, type Mark, type NodeId, type StudyChange, type StudyEdit, type StudyNode, type StudyView } from './wire.ts'

/** What kept the server from showing a study and may be over soon, and when it is asked again. */
const FOR_NOW: readonly Why[] = ['too_many', 'not_saved', 'unsure']
const AGAIN_MS = 2000

export class Study {
  readonly id: string
  /** What the server last said, but for the nodes. */
  head = $state.raw<Omit<StudyView, 'nodes' | 'type'> | null>(null)
  nodes = $state.raw<Nodes>(new Map())
  at = $state<NodeId>(0)
  /** There is no such study, or it was deleted. */
  gone = $state(false)
  /** The id of the sentence that says why the last change was not made. */
  problem = $state<string | null>(null)
  /** Comments that could not be saved, by their positions. */
  unsaved = $state.raw<ReadonlyMap<NodeId, string>>(new Map())
  /** Where a disc was placed that the server has not answered for yet. */
  sent = $state<number | null>(null)

  #chosen = new Map<NodeId, NodeId>()
  /** Where the address says to go, until the study is there. */
  #wanted: NodeId | null
  #queue: Promise<unknown> = Promise.resolve()
  #again: ReturnType<typeof setTimeout> | undefined
  #stop: () => void

  constructor(id: string, wanted: NodeId | null) {
    this.id = id
    this.#wanted = wanted
    this.#stop = listen(
      (message) => {
        if (message.type === 'study' && message.study === id) this.#hear(message)
        if (message.type === 'study_changed' && message.study === id) this.#change(message)
        if (message.type === 'study_gone' && message.study === id) this.gone = true
      },
      () => void this.#open(),
    )
    if (session.line === 'live') void this.#open()
  }

  leave(): void {
    clearTimeout(this.#again)
    this.#stop()
    void ask({ type: 'study_close', study: this.id })
  }

  async #open(): Promise<void> {
    clearTimeout(this.#again)
    const answer = await ask({ type: 'study_open', study: this.id })
    if (answer.type !== 'refused') this.problem = null
    else if (FOR_NOW.includes(answer.why)) {
      this.problem = refusal(answer.why)
      this.#again = setTimeout(() => void this.#open(), AGAIN_MS)
    } else this.gone = true
  }

  #hear({ nodes, ...head }: Omit<StudyView, 'type'>): void {
    if (this.head && head.seq < this.head.seq) return
    const first = this.head === null
    this.head = head
    this.nodes = new Map(nodes.map((node) => [node.id, node]))
    const wanted = first ? (this.#wanted ?? head.at) : this.at
    this.at = this.nodes.has(wanted) ? wanted : 0
  }

  #change(change: StudyChange): void {
    if (!this.head || change.seq <= this.head.seq) return
    const { title, changed, seq, undo, redo } = change
    this.head = { ...this.head, title, changed, seq, undo, redo }
    const before = this.nodes
    const nodes = new Map(before)
    for (const id of change.removed) nodes.delete(id)
    for (const node of change.nodes) nodes.set(node.id, node)
    this.nodes = nodes
    // Whoever stood on a move that is gone stands where it was played.
    if (!nodes.has(this.at)) this.at = pathTo(before, this.at).findLast((node) => nodes.has(node.id))?.id ?? 0
  }

  get node(): StudyNode | null {
    return this.nodes.get(this.at) ?? null
  }

  /** The line one steps along: to here, and on. */
  get line(): StudyNode[] {
    return lineThrough(this.nodes, this.at, this.#chosen)
  }

  get main(): StudyNode[] {
    return mainLine(this.nodes)
  }

  /** The move played next in the main line, where this is a position of it. */
  get played(): Square | null {
    const [first] = this.node?.children ?? []
    return (first !== undefined ? this.nodes.get(first)?.square : null) ?? null
  }

  go(id: NodeId | null): void {
    const node = id === null ? null : this.nodes.get(id)
    if (!node) return
    this.problem = null
    for (const { id, parent } of pathTo(this.nodes, node.id)) if (parent !== null) this.#chosen.set(parent, id)
    this.at = node.id
  }

  forward(): void {
    this.go(next(this.nodes, this.at, this.#chosen))
  }
  back(): void {
    this.go(this.node?.parent ?? null)
  }
  first(): void {
    this.go(0)
  }
  last(): void {
    this.go(this.line.at(-1)?.id ?? null)
  }
  beside(by: -1 | 1): void {
    this.go(beside(this.nodes, this.at, by))
  }

  /** Plays from here: the move that is in the tree already, or a new variation. True if it was made. */
  async play(square: Square): Promise<boolean> {
    const there = this.node?.children.find((id) => this.nodes.get(id)?.square === square)
    if (there !== undefined) {
      this.go(there)
      return true
    }
    if (!this.node?.legal.some((move) => move.square === square)) return false
    this.sent = indexOf(square)
    const made = await this.edit({ kind: 'play', at: this.at, square })
    this.sent = null
    return made
  }

  /** Puts a line into the tree and goes to its end, or to its move `to`. */
  async addLine(at: NodeId, squares: Square[], to = squares.length): Promise<boolean> {
    if (!(await this.edit({ kind: 'line', at, squares }))) return false
    this.go(pathTo(this.nodes, this.at).find((node) => node.number === (this.nodes.get(at)?.number ?? 0) + to)?.id ?? null)
    return true
  }

  async comment(at: NodeId, text: string): Promise<boolean> {
    const saved = await this.edit({ kind: 'comment', at, text }, false)
    const unsaved = new Map(this.unsaved)
    if (saved) unsaved.delete(at)
    else unsaved.set(at, text)
    this.unsaved = unsaved
    return saved
  }

  /** Draws on the position on the board: what is there when the change is made decides what it becomes, or quick strokes would wipe each other. */
  draw(change: (node: StudyNode) => { marks?: Mark[]; arrows?: Arrow[] }): Promise<boolean> {
    const { at } = this
    return this.edit(() => {
      const node = this.nodes.get(at)
      const { marks = [], arrows = [] } = node ?? {}
      return { kind: 'marks', at, marks, arrows, ...(node ? change(node) : {}) }
    }, false)
  }

  remove(): Promise<boolean> {
    return this.edit({ kind: 'remove', at: this.at })
  }

  promote(): Promise<boolean> {
    return this.edit({ kind: 'promote', at: this.at }, false)
  }

  /** Sends one change after another, each with the number the last one left; true if it was made. `go`: to where it was made. */
  edit(edit: StudyEdit | (() => StudyEdit), go = true): Promise<boolean> {
    const made = this.#queue.then(() => this.#send(edit, go))
    this.#queue = made
    return made
  }

  async #send(edit: StudyEdit | (() => StudyEdit), go: boolean, again = true): Promise<boolean> {
    this.problem = null
    const answer = await ask({ type: 'study_edit', study: this.id, seq: this.head?.seq ?? 0, edit: typeof edit === 'function' ? edit() : edit })
    if (answer.type === 'refused') {
      // Another page changed it first, and this one has heard how: once more, on what is there now.
      if (answer.why === 'stale' && again) return this.#send(edit, go, false)
      this.problem = refusal(answer.why)
      return false
    }
    // The whole study comes where the answer to a change that was made got lost.
    if (answer.type !== 'study_changed' && answer.type !== 'study') return false
    if (go) this.go(answer.at)
    return true
  }
}
