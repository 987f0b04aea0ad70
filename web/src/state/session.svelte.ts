// This page's line to the server, and what the server said about itself.
import type { Ask, GameSummary, Level, NamedRules, ToBrowser, Why } from '../protocol.ts'
import { PROTOCOL } from '../protocol.ts'
import { Socket, type Answer, type Line } from './socket.ts'

interface Session {
  line: Line
  /** The page was built for another server: it must be loaded again. */
  stale: boolean
  levels: readonly Level[]
  presets: readonly NamedRules[]
  lan: readonly string[]
  version: string
}

export const session = $state<Session>({ line: 'connecting', stale: false, levels: [], presets: [], lan: [], version: '' })

type Hear = (message: ToBrowser) => void
const listeners = new Set<Hear>()
const onLive = new Set<() => void>()

const socket = new Socket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`, {
  line(line) {
    session.line = line
    if (line === 'live') for (const call of onLive) call()
  },
  hear(message) {
    if (message.type === 'welcome') {
      session.stale = message.protocol !== PROTOCOL
      session.levels = message.levels
      session.presets = message.presets
      session.lan = message.lan
      session.version = message.version
    }
    for (const hear of listeners) hear(message)
  },
})
socket.connect()
socket.watch()

export function ask(what: Ask): Promise<Answer> {
  return socket.ask(what)
}

export function listen(hear: Hear, live: () => void): () => void {
  listeners.add(hear)
  onLive.add(live)
  return () => {
    listeners.delete(hear)
    onLive.delete(live)
  }
}

export class Refused extends Error {
  why: Why
  constructor(why: Why) {
    super(why)
    this.why = why
  }
}

/** The new game's id. */
export async function begin(what: Extract<Ask, { type: 'create' | 'again' }>): Promise<string> {
  const answer = await ask(what)
  if (answer.type === 'refused') throw new Refused(answer.why)
  return answer.type === 'done' ? (answer.game ?? '') : ''
}

export async function games(before?: string): Promise<{ games: GameSummary[]; more: boolean }> {
  const answer = await ask(before === undefined ? { type: 'list' } : { type: 'list', before })
  return answer.type === 'games' ? answer : { games: [], more: false }
}
