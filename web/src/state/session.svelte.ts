// This page's line to the server, and what the server said about itself.
import type { Ask, DoorView, GameSummary, HouseView, Level, Me, NamedRules, ToBrowser, Why } from '../protocol.ts'
import { DOOR_CLOSED, PROTOCOL } from '../protocol.ts'
import { Socket, type Answer, type Line } from './socket.ts'

interface Session {
  line: Line
  /** The line has been broken for longer than a blink, which is nobody's business. */
  lost: boolean
  /** The page was built for another server: it must be loaded again. */
  stale: boolean
  levels: readonly Level[]
  presets: readonly NamedRules[]
  /** The way in from the network. */
  door: DoorView
  me: Me
  house: HouseView
  /** The line broke because the owner closed that way. */
  shut: boolean
  /** The page was opened by an owner's link that is not good. */
  notOwner: boolean
  version: string
}

export const session = $state<Session>({
  line: 'connecting',
  lost: false,
  stale: false,
  levels: [],
  presets: [],
  door: { open: false, addresses: [], yours: false },
  me: { handle: null, owner: false, bot: false, can_sign_out: false },
  house: { lobby: false, registration: false, announcement: null },
  shut: false,
  notOwner: false,
  version: '',
})

const BLINK_MS = 700
const notice = () => setTimeout(() => (session.lost = session.line !== 'live'), BLINK_MS)

type Hear = (message: ToBrowser) => void
const listeners = new Set<Hear>()
const onLive = new Set<() => void>()

const socket = new Socket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`, {
  line(line) {
    if (line === 'lost' && session.line === 'live') notice()
    session.line = line
    if (line !== 'live') return
    session.lost = session.shut = false
    for (const call of onLive) call()
  },
  closed(code) {
    if (code === DOOR_CLOSED) session.shut = true
  },
  hear(message) {
    if (message.type === 'welcome') {
      session.stale = message.protocol !== PROTOCOL
      session.levels = message.levels
      session.presets = message.presets
      session.door = message.door
      session.version = message.version
      session.me = message.me
      session.house = message.house
    }
    if (message.type === 'house') session.house = message
    if (message.type === 'door') session.door = message
    for (const hear of listeners) hear(message)
  },
})
notice()
socket.connect()
socket.watch()

/** Asks under a name of its own, or under one from `newId` by which it can be asked again later: the server does it once. */
export function ask(what: Ask, id?: string): Promise<Answer> {
  return socket.ask(what, id)
}

export function newId(): string {
  return socket.newId()
}

/** Connects anew: whoever signed in or out is someone else to the server. */
export function reconnect(): void {
  socket.connect()
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

/** Lets other devices on the network in, or keeps them out again; why not, if it cannot be done. */
export async function moveDoor(open: boolean): Promise<Why | null> {
  const answer = await ask({ type: open ? 'open_door' : 'close_door' })
  return answer.type === 'refused' ? answer.why : null
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
