import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ToBrowser } from '../protocol.ts'
import { Socket, type Line } from './socket.ts'

class FakeSocket {
  static all: FakeSocket[] = []
  static readonly OPEN = 1
  readyState = 1
  sent: string[] = []
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  constructor() {
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    this.readyState = 3
    this.onclose?.()
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const welcome = { type: 'welcome', protocol: 1, version: '', now: 0, levels: [], presets: [], lan: [] }

let lines: Line[]
let heard: ToBrowser[]
let socket: Socket

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all = []
  lines = []
  heard = []
  socket = new Socket('ws://x', { line: (line) => lines.push(line), hear: (message) => heard.push(message) })
  socket.connect()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('asks again, with the same id, what was not answered before the line broke', async () => {
  const [first] = FakeSocket.all
  first!.hear(welcome)
  const answer = socket.ask({ type: 'play', game: 'g', square: 'f5', ply: 0 })
  expect(first!.sent).toHaveLength(1)
  first!.close()
  vi.advanceTimersByTime(250)
  const second = FakeSocket.all[1]
  second!.hear(welcome)
  expect(second!.sent).toEqual(first!.sent)
  const { id } = JSON.parse(first!.sent[0]!) as { id: string }
  second!.hear({ type: 'done', id })
  expect((await answer).type).toBe('done')
  second!.close()
  vi.advanceTimersByTime(250)
  FakeSocket.all[2]!.hear(welcome)
  expect(FakeSocket.all[2]!.sent).toEqual([])
})

it('waits longer each time, four seconds at most, and starts small again once it was live', () => {
  for (const wait of [250, 500, 1000, 2000, 4000, 4000]) {
    const tries = FakeSocket.all.length
    FakeSocket.all[tries - 1]!.close()
    vi.advanceTimersByTime(wait - 1)
    expect(FakeSocket.all).toHaveLength(tries)
    vi.advanceTimersByTime(1)
    expect(FakeSocket.all).toHaveLength(tries + 1)
  }
  const last = FakeSocket.all.at(-1)!
  last.hear(welcome)
  last.close()
  vi.advanceTimersByTime(250)
  expect(FakeSocket.all.at(-1)).not.toBe(last)
})

it('is live only when the server has said so', () => {
  expect(lines).toEqual([])
  FakeSocket.all[0]!.hear(welcome)
  expect(lines).toEqual(['live'])
  FakeSocket.all[0]!.close()
  expect(lines).toEqual(['live', 'lost'])
})

it('gives every command an id of its own', () => {
  FakeSocket.all[0]!.hear(welcome)
  void socket.ask({ type: 'ping' })
  void socket.ask({ type: 'ping' })
  const ids = FakeSocket.all[0]!.sent.map((text) => (JSON.parse(text) as { id: string }).id)
  expect(new Set(ids).size).toBe(2)
})
