// One WebSocket that comes back by itself. What was asked and not yet answered is asked again with the same id, so a
// command is carried out once however often the line breaks.
import type { Ask, ToBrowser, ToServer, Why } from '../protocol.ts'

export type Line = 'connecting' | 'live' | 'lost'

export type Answer = Extract<ToBrowser, { id?: string }>

interface Pending {
  message: ToServer
  resolve: (answer: Answer) => void
  /** When it was last sent, and how often the server then ended the line without another word. */
  sent: number
  ended: number
}

export interface Listener {
  /** The state of the line changed. */
  line(line: Line): void
  /** The server ended the connection, with this code. */
  closed(code: number): void
  /** Something the server says, answers included. */
  hear(message: ToBrowser): void
}

/** The wait before the next try; it doubles each time, up to the longest. */
const FIRST_WAIT = 250
const LONGEST_WAIT = 4_000
/** A try that has not come to a welcome by then has failed. */
const LONGEST_TRY = 8_000
/** How often the server is asked whether it is there, and how long it may take to answer. */
const PULSE = 4_000
const PATIENCE = 4_000
/** The server takes no longer message, in bytes: it ends the line. */
const LONGEST = 65_536
/** What ends the line so often is not asked again. */
const TOO_OFTEN = 3

export class Socket {
  #url: string
  #listener: Listener
  #socket: WebSocket | null = null
  #pending = new Map<string, Pending>()
  #wait = FIRST_WAIT
  #timer: ReturnType<typeof setTimeout> | undefined
  #prefix = Math.random().toString(36).slice(2, 10)
  #count = 0
  #heard = 0
  /** Whether the server has said welcome. */
  #live = false

  constructor(url: string, listener: Listener) {
    this.#url = url
    this.#listener = listener
  }

  connect(): void {
    this.#leave()
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    socket.onmessage = (event: MessageEvent<string>) => this.#receive(JSON.parse(event.data) as ToBrowser)
    socket.onclose = (event: CloseEvent) => {
      this.#listener.closed(event.code)
      for (const [id, pending] of this.#pending) if (pending.sent >= this.#heard && ++pending.ended >= TOO_OFTEN) this.#refuse(id, 'bad_message', pending)
      this.#lose()
    }
    this.#timer = setTimeout(() => this.#lose(), LONGEST_TRY)
  }

  /** Gives the line up without waiting: a dead one would take a minute to notice that it was closed. */
  #leave(): void {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = null
    this.#live = false
    if (!socket) return
    socket.onmessage = socket.onclose = null
    socket.close()
  }

  #lose(): void {
    this.#leave()
    this.#listener.line('lost')
    // Somewhere in the second half of the wait: pages that lost a server together do not come back all at once.
    this.#timer = setTimeout(() => this.connect(), this.#wait * (0.5 + Math.random() / 2))
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2)
  }

  /** A line that broke without a word (a closed laptop, a lost network) is found out by asking. */
  watch(): void {
    setInterval(() => this.#pulse(), PULSE)
    addEventListener('online', () => this.hurry())
    addEventListener('offline', () => this.#pulse())
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.hurry()
    })
  }

  #pulse(): void {
    const socket = this.#socket
    if (!this.#live) return
    const asked = performance.now()
    this.#send({ type: 'ping', id: `${this.#prefix}-pulse` })
    setTimeout(() => {
      if (this.#socket === socket && this.#heard < asked) this.#lose()
    }, PATIENCE)
  }

  /** Tries now instead of at the next turn of the timer: the reader came back, or the network did. */
  hurry(): void {
    if (this.#live) {
      this.#pulse()
      return
    }
    this.#wait = FIRST_WAIT
    this.connect()
  }

  /** A name for a command that no other has. */
  newId(): string {
    return `${this.#prefix}-${++this.#count}`
  }

  /** Sends a command; the answer comes when it comes, across lost connections. */
  ask(ask: Ask, id = this.newId()): Promise<Answer> {
    const message: ToServer = { ...ask, id }
    return new Promise((resolve) => {
      const pending = { message, resolve, sent: -1, ended: 0 }
      if (new Blob([JSON.stringify(message)]).size > LONGEST) return this.#refuse(id, 'too_large', pending)
      this.#pending.set(id, pending)
      this.#send(message, pending)
    })
  }

  /** Answers in the server's place. */
  #refuse(id: string, why: Why, { resolve }: Pending): void {
    this.#pending.delete(id)
    resolve({ type: 'refused', id, why, text: why })
  }

  #send(message: ToServer, pending?: Pending): void {
    if (!this.#live || this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify(message))
    if (pending) pending.sent = performance.now()
  }

  #receive(message: ToBrowser): void {
    this.#heard = performance.now()
    if (message.type === 'welcome') {
      clearTimeout(this.#timer)
      this.#live = true
      this.#wait = FIRST_WAIT
      this.#listener.hear(message)
      for (const pending of this.#pending.values()) this.#send(pending.message, pending)
      this.#listener.line('live')
      return
    }
    this.#listener.hear(message)
    const id = 'id' in message ? message.id : undefined
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (id !== undefined && pending) {
      this.#pending.delete(id)
      pending.resolve(message as Answer)
    }
  }
}
