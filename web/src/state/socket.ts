// One WebSocket that comes back by itself. What was asked and not yet answered is asked again with the same id, so a
// command is carried out once however often the line breaks.
import type { Ask, ToBrowser, ToServer } from '../protocol.ts'

export type Line = 'connecting' | 'live' | 'lost'

export type Answer = Extract<ToBrowser, { id?: string }>

interface Pending {
  message: ToServer
  resolve: (answer: Answer) => void
}

export interface Listener {
  /** The state of the line changed. */
  line(line: Line): void
  /** Something the server says, answers included. */
  hear(message: ToBrowser): void
}

const FIRST_WAIT = 250
const LONGEST_WAIT = 4000
const PULSE = 15_000
const PATIENCE = 5_000

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

  constructor(url: string, listener: Listener) {
    this.#url = url
    this.#listener = listener
  }

  connect(): void {
    clearTimeout(this.#timer)
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    socket.onmessage = (event: MessageEvent<string>) => this.#receive(JSON.parse(event.data) as ToBrowser)
    socket.onclose = () => {
      if (this.#socket !== socket) return
      this.#socket = null
      this.#listener.line('lost')
      this.#timer = setTimeout(() => this.connect(), this.#wait)
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2)
    }
  }

  /** A line that broke without a word (a closed laptop, a lost network) is found out by asking. */
  watch(): void {
    const pulse = () => {
      const socket = this.#socket
      if (socket?.readyState !== WebSocket.OPEN) return
      const asked = performance.now()
      this.#send({ type: 'ping', id: `${this.#prefix}-pulse` })
      setTimeout(() => {
        if (this.#socket === socket && this.#heard < asked) socket.close()
      }, PATIENCE)
    }
    setInterval(pulse, PULSE)
    addEventListener('online', () => this.hurry())
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return
      this.hurry()
      pulse()
    })
  }

  /** Tries now instead of at the next turn of the timer: the reader came back, or the network did. */
  hurry(): void {
    if (this.#socket) return
    this.#wait = FIRST_WAIT
    this.connect()
  }

  /** Sends a command; the answer comes when it comes, across lost connections. */
  ask(ask: Ask): Promise<Answer> {
    const id = `${this.#prefix}-${++this.#count}`
    const message: ToServer = { ...ask, id }
    return new Promise((resolve) => {
      this.#pending.set(id, { message, resolve })
      this.#send(message)
    })
  }

  #send(message: ToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #receive(message: ToBrowser): void {
    this.#heard = performance.now()
    if (message.type === 'welcome') {
      this.#wait = FIRST_WAIT
      this.#listener.hear(message)
      for (const { message: again } of this.#pending.values()) this.#send(again)
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
