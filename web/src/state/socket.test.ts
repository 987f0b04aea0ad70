import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ToBrowser } from '../protocol.ts'
import { Socket, type Line } from './socket.ts'

class FakeSocket {
  static all: FakeSocket[] = []
  static readonly OPEN = 1
  readyState = 1
  sent: string[] = []
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor() {
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(text)
  }
  close(code = 1006): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const welcome = { type: 'welcome', protocol: 3, version: '', now: 0, levels: [], presets: [], door: { open: false, addresses: [], yours: false } }

let lines: Line[]
let heard: ToBrowser[]
let codes: number[]
let socket: Socket

beforeEach(() => {
  vi.useFakeTimers()
  // The longest of each wait.
  vi.spyOn(Math, 'random').mockReturnValue(0.999_999)
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all = []
  lines = []
  heard = []
  codes = []
  socket = new Socket('ws://x', {
    line: (line) => lines.push(line),
    closed: (code) => codes.push(code),
    hear: (message) => heard.push(message),
  })
  socket.connect()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
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

it('does not send what is longer than the server takes', async () => {
  const [first] = FakeSocket.all
  first!.hear(welcome)
  // Every line break is two bytes on the way, and é too.
  for (const text of ['f'.repeat(66_000), '\n'.repeat(33_000), 'é'.repeat(33_000)]) {
    expect(await socket.ask({ type: 'study_new', from: { kind: 'text', text } })).toMatchObject({ type: 'refused', why: 'too_large' })
  }
  expect(first!.sent).toEqual([])
  void socket.ask({ type: 'study_new', from: { kind: 'text', text: 'f'.repeat(65_000) } })
  expect(first!.sent).toHaveLength(1)
})

it('gives up what ends the line again and again, and nothing else', async () => {
  const answers: unknown[] = []
  FakeSocket.all[0]!.hear(welcome)
  void socket.ask({ type: 'study_open', study: 's' }).then((answer) => answers.push(answer))
  for (let time = 0; time < 3; time++) {
    FakeSocket.all.at(-1)!.close()
    vi.advanceTimersByTime(250)
    FakeSocket.all.at(-1)!.hear(welcome)
  }
  await Promise.resolve()
  expect(answers).toMatchObject([{ type: 'refused', why: 'bad_message' }])
  expect(FakeSocket.all.at(-1)!.sent).toEqual([])
  // A line that breaks while it is in use takes nothing with it.
  void socket.ask({ type: 'study_open', study: 't' }).then((answer) => answers.push(answer))
  for (let time = 0; time < 6; time++) {
    vi.advanceTimersByTime(1)
    FakeSocket.all.at(-1)!.hear({ type: 'house', lobby: false, registration: false, announcement: null })
    FakeSocket.all.at(-1)!.close()
    vi.advanceTimersByTime(250)
    FakeSocket.all.at(-1)!.hear(welcome)
  }
  await Promise.resolve()
  expect(answers).toHaveLength(1)
  expect(FakeSocket.all.at(-1)!.sent).toHaveLength(1)
})

it('waits longer each time, four seconds at most, and starts small again once it was live', () => {
  for (const wait of [250, 500, 1000, 2000, 4000, 4000]) {
    const tries = FakeSocket.all.length
    FakeSocket.all[tries - 1]!.close()
    vi.advanceTimersByTime(wait - 2)
    expect(FakeSocket.all).toHaveLength(tries)
    vi.advanceTimersByTime(2)
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

it('does not come back at the same moment as every other page', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  FakeSocket.all[0]!.close()
  vi.advanceTimersByTime(124)
  expect(FakeSocket.all).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(FakeSocket.all).toHaveLength(2)
})

it('gives up a try that comes to nothing', () => {
  vi.advanceTimersByTime(8_000)
  expect(lines).toEqual(['lost'])
  vi.advanceTimersByTime(250)
  expect(FakeSocket.all).toHaveLength(2)
})

it('notices within ten seconds that nobody answers, does not wait for a goodbye, and asks again', () => {
  const page = { addEventListener: vi.fn(), hidden: false }
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', vi.fn())
  socket.watch()
  const [first] = FakeSocket.all
  first!.hear(welcome)
  vi.advanceTimersByTime(4_000)
  first!.hear({ type: 'done', id: (JSON.parse(first!.sent[0]!) as { id: string }).id })
  vi.advanceTimersByTime(3_999)
  expect(lines).toEqual(['live'])
  first!.close = () => {}
  void socket.ask({ type: 'play', game: 'g', square: 'f5', ply: 0 })
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual(['live', 'lost'])
  const second = FakeSocket.all.at(-1)!
  expect(second).not.toBe(first)
  second.hear(welcome)
  expect(lines).toEqual(['live', 'lost', 'live'])
  expect(second.sent.filter((text) => text.includes('"play"'))).toHaveLength(1)
  // What the old line still brings belongs to nobody.
  const had = heard.length
  first!.hear({ type: 'gone', game: 'g' })
  expect(heard).toHaveLength(had)
})

it('tries at once when the network or the reader comes back', () => {
  const said: Record<string, () => void> = {}
  vi.stubGlobal('addEventListener', (event: string, call: () => void) => (said[event] = call))
  vi.stubGlobal('document', { hidden: false, addEventListener: (event: string, call: () => void) => (said[event] = call) })
  socket.watch()
  FakeSocket.all[0]!.hear(welcome)
  FakeSocket.all[0]!.close()
  said['online']?.()
  expect(FakeSocket.all).toHaveLength(2)
  // One that hangs is not waited for.
  said['visibilitychange']?.()
  expect(FakeSocket.all).toHaveLength(3)
  FakeSocket.all[2]!.hear(welcome)
  said['visibilitychange']?.()
  expect(FakeSocket.all).toHaveLength(3)
  expect(FakeSocket.all[2]!.sent).toHaveLength(1)
})

it('gives every command an id of its own', () => {
  FakeSocket.all[0]!.hear(welcome)
  void socket.ask({ type: 'ping' })
  void socket.ask({ type: 'ping' })
  const ids = FakeSocket.all[0]!.sent.map((text) => (JSON.parse(text) as { id: string }).id)
  expect(new Set(ids).size).toBe(2)
})

it('says with which code the server ended the connection', () => {
  FakeSocket.all[0]!.hear(welcome)
  FakeSocket.all[0]!.close(4001)
  expect(codes).toEqual([4001])
  expect(lines.at(-1)).toBe('lost')
})
