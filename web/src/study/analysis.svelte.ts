// What the engine says of the position on the board: asked again wherever the reader goes, kept for when they come back.
import { refusal } from '../state/refusal.ts'
import { listen, ask, type Analysis, type NodeId } from './wire.ts'
import type { Strength } from './settings.ts'

/** Whoever steps through a game passes most positions too quickly to want their values. */
const REST_MS = 60

export class Analyst {
  /** What is known of each position of the tree. */
  found = $state.raw<ReadonlyMap<NodeId, Analysis>>(new Map())
  /** The position that is searched now. */
  searching = $state<NodeId | null>(null)
  /** Why the engine says nothing: a message. */
  problem = $state<string | null>(null)

  #study: string
  #key = Math.random().toString(36).slice(2, 10)
  /** With which strength a position was searched to the end. */
  #finished = new Map<NodeId, string>()
  #wish: { at: NodeId; strength: Strength; threads: number } | null = null
  #waiting: ((known: Analysis | null) => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0
  #stop: () => void

  constructor(study: string) {
    this.#study = study
    this.#stop = listen(
      (message) => {
        if (message.type === 'analysis' && message.key === this.#key) this.#hear(message)
      },
      () => this.#send(),
    )
  }

  leave(): void {
    this.rest()
    this.#stop()
  }

  /** Searches this position, unless that has been done or is under way. */
  look(at: NodeId, strength: Strength, threads = 1): void {
    if (this.#wish?.at === at && name(this.#wish.strength) === name(strength) && this.#wish.threads === threads) return
    clearTimeout(this.#timer)
    this.problem = null
    this.#settle()
    if (this.#finished.get(at) === name(strength)) return this.rest()
    this.#wish = { at, strength, threads }
    const since = performance.now() - this.#asked
    this.#timer = setTimeout(() => this.#send(), since > 4 * REST_MS ? 0 : REST_MS)
    this.#asked = performance.now()
  }

  /** What is found of this position when its search ends, or when another takes its place; null if nothing was. */
  async know(at: NodeId, strength: Strength): Promise<Analysis | null> {
    this.look(at, strength)
    if (this.#wish?.at !== at) return this.found.get(at) ?? null
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Tells who waits what is known of the position that is searched no more. */
  #settle(): void {
    const known = this.#wish ? (this.found.get(this.#wish.at) ?? null) : null
    for (const tell of this.#waiting.splice(0)) tell(known)
  }

  /** Stops searching; what was found stays. */
  rest(): void {
    clearTimeout(this.#timer)
    this.#settle()
    if (this.#wish) void ask({ type: 'analyse_stop', key: this.#key })
    this.#wish = null
    this.searching = null
  }

  #send(): void {
    if (!this.#wish) return
    const { at, strength, threads } = this.#wish
    this.searching = at
    void ask({
      type: 'analyse',
      key: this.#key,
      study: this.#study,
      at,
      depth: strength.by === 'depth' ? strength.n : null,
      seconds: strength.by === 'seconds' ? strength.n : null,
      lines: 'all',
      threads,
    }).then((answer) => {
      if (answer.type !== 'refused' || this.#wish?.at !== at) return
      this.problem = refusal(answer.why)
      this.rest()
    })
  }

  #hear(news: Analysis): void {
    const before = this.found.get(news.at)
    // A search begun again is shallow at first: what was found before is better.
    if (news.values.length > 0 && (!before || sureness(news) >= sureness(before))) {
      this.found = new Map(this.found).set(news.at, news)
    }
    if (news.done && this.#wish?.at === news.at) {
      this.#finished.set(news.at, name(this.#wish.strength))
      this.#settle()
      this.#wish = null
      this.searching = null
    }
  }
}

/** The deeper search is the better one; of two that look as far ahead, the one that left out less. */
function sureness({ depth, values }: Analysis): number {
  return depth * 101 + (values[0]?.percent ?? 0)
}

function name(strength: Strength): string {
  return strength.by + strength.n
}
