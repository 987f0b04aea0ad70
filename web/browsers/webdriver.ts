// A small client of the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/), which both Firefox and WebKit speak.
import { spawn, type ChildProcess } from 'node:child_process'
import { connect, createServer, type AddressInfo } from 'node:net'

/** The name by which the protocol marks an element in an answer. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Keys that have no letter, as the protocol writes them. */
export const KEY = { left: '\uE012', up: '\uE013', right: '\uE014', down: '\uE015', enter: '\uE007', escape: '\uE00C', tab: '\uE004' }

export interface Kind {
  name: string
  /** The program that drives the browser. */
  driver: string
  /** The program without which it cannot. */
  browser: string
  arguments: (port: number) => string[]
  capabilities: object
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
  })
}

/** Asks again until the answer is true; says what was waited for when it never is. */
export async function until(what: string, check: () => Promise<boolean>, seconds = 15): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`waited ${seconds} s for this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** One browser with one window. */
export class Browser {
  #driver: ChildProcess
  #session: string

  private constructor(driver: ChildProcess, session: string) {
    this.#driver = driver
    this.#session = session
  }

  static async start(kind: Kind): Promise<Browser> {
    const port = await freePort()
    const driver = spawn(kind.driver, kind.arguments(port), { stdio: 'ignore' })
    try {
      await until(`${kind.driver} listens`, () => answers(port))
      const base = `http://127.0.0.1:${port}/session`
      const body = JSON.stringify({ capabilities: { alwaysMatch: kind.capabilities } })
      const answer = (await (await fetch(base, { method: 'POST', headers: JSON_TYPE, body })).json()) as { value: { sessionId?: string; message?: string } }
      if (!answer.value.sessionId) throw new Error(`${kind.name} did not start: ${answer.value.message}`)
      return new Browser(driver, `${base}/${answer.value.sessionId}`)
    } catch (error) {
      driver.kill()
      throw error
    }
  }

  async stop(): Promise<void> {
    try {
      await fetch(this.#session, { method: 'DELETE' })
    } finally {
      this.#driver.kill()
    }
  }

  async #ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.#session}/${path}`, { method, ...(method === 'POST' ? { headers: JSON_TYPE, body: JSON.stringify(body ?? {}) } : {}) })
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }

  async open(url: string): Promise<void> {
    await this.#ask('POST', 'url', { url })
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#ask('POST', 'window/rect', { width, height })
  }

  /** Runs a function's text in the page and gives its answer. */
  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.#ask<T>('POST', 'execute/sync', { script, args })
  }

  /** The first visible element that a CSS selector finds, once there is one. */
  async find(selector: string): Promise<string> {
    let found: Record<string, string> | null = null
    await until(`${selector} is on the page`, async () => {
      found = await this.run('return [...document.querySelectorAll(arguments[0])].find((e) => e.getClientRects().length > 0) ?? null', selector)
      return found !== null
    })
    return found![ELEMENT]!
  }

  async click(selector: string): Promise<void> {
    await this.#ask('POST', `element/${await this.find(selector)}/click`)
  }

  /** Types at whatever has the focus. */
  async keys(...keys: string[]): Promise<void> {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#ask('POST', 'actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  /** A picture of one element, as a PNG file. */
  async picture(selector: string): Promise<Buffer> {
    return Buffer.from(await this.#ask<string>('GET', `element/${await this.find(selector)}/screenshot`), 'base64')
  }

  async text(selector: string): Promise<string> {
    return this.run('return document.querySelector(arguments[0])?.textContent?.trim() ?? ""', selector)
  }
}
