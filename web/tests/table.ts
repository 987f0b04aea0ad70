// What a player does, by name.
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { Server } from './server.ts'

export { expect }
export type { Page }

/** Games chosen for how they go. The server, not the test, knows the rules that make them so. */
export const GAMES = {
  /** The shortest there is: White is wiped out after nine moves. */
  wipeOut: 'f5d6c5f4e7f6g5e6e3',
  /** Black has no move after White's c1. */
  pass: 'd3c3f5d2d1e1b3c1',
  /** 60 moves, no pass: Black wins 40–24. */
  full: 'd3e3f5e6f4c4b4c5c6b6d6c3b2b3f2b1d7g5h5g1c2d1a7g6e2f3a1g4a3d8h3f6c8g3d2b8g2a4c1f7e8a2e1g7h4h2e7c7h7h6h1a6a8f1g8h8b7f8a5b5',
  /** Both sides have to pass once (White after 55, Black after 59); White wins 35–29. */
  passes: 'e6f4c3c4e3f7e7d6c5b5f6b4g7e8b3f2a5a3c6d3b2g6f8g8g1a4g3b7h7e2d2f1h5h6f5d7h8h2g4a2c2b6h4a6a8b8e1g2f3c7c8d8h1g5h3b1a1d1a7c1',
  /** Black has to pass three times, after moves 18, 35 and 58; White wins 37–27. */
  blackPasses:
    'f5f6f7e3c3c5f3f4d3c4b3b4g5a2a4a3b6a5c7a7d2d8c6b5b7c1e1d1b1a6a8c2e2f2f1g1g2d6d7e6e7b8c8e8f8h2h1h3h4b2a1g3g4g8g7h8h7g6h5h6',
  /** Neither can move with two squares empty: 30–32 on the board. */
  early:
    'f5f6c4f4e6d6g6g4h4c5c7b3c6e3f7b7a2d7e2f2b8g5b4h7f3a4d8f8a8d2d1g3a3c8h2d3c2e8h6g7b6c1g1e1c3a7h5b5e7a1g8h3a5b1a6f1g2h1',
  /** A full board, 32–32. */
  draw: 'e6d6c7f3c4c6c5d7g2f6f5b5d3c3a5f4d8b6g3e7g6e3b3a4f7h7a7f2g5h1a3c2h6e2e1b8g4a6g1h3d1g8h8a8e8h5c8a2f8b2b4f1b1d2h4b7a1g7c1h2',
  /** 31–31 with two squares empty: one each. */
  drawWithEmpties:
    'c4c3e6f6c2b2a2d6g7g6d7c8f7f8e7h6d8f5b8e8g4d3d2b4g8d1e2e1h8a1c5b3e3h7h5f1g5a3a4f4c1b1f2g2g1g3h2a5h3h1h4b5b6c6a6a7c7b7',
} as const

export function squares(game: string): string[] {
  return game.match(/../g) ?? []
}

export class Table {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  square(name: string): Locator {
    return this.page.locator(`[data-square=${name}]`)
  }
  get status(): Locator {
    return this.page.getByTestId('status')
  }
  get result(): Locator {
    return this.page.getByTestId('result')
  }
  get notice(): Locator {
    return this.page.getByTestId('pass-notice')
  }
  get moves(): Locator {
    return this.page.getByTestId('moves')
  }
  bar(colour: 'black' | 'white'): Locator {
    return this.page.locator(`section[data-colour=${colour}]`)
  }
  /** All 64 squares as `X O -`. */
  async board(): Promise<string> {
    return this.page
      .locator('main [data-square]')
      .evaluateAll((all) => all.map((e) => ({ black: 'X', white: 'O' })[(e as HTMLElement).dataset['disc'] ?? ''] ?? '-').join(''))
  }
  async legal(): Promise<string[]> {
    return this.page.locator('main [data-legal]').evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset['square'] ?? ''))
  }
  async turn(): Promise<'black' | 'white'> {
    return (await this.page.locator('section.bar.active').getAttribute('data-colour')) as 'black' | 'white'
  }

  /** From the first page to a board on which nobody has played, with the options as they stand. */
  async begin(url: string, options?: (page: Page) => Promise<void>): Promise<void> {
    await this.page.goto(url)
    await this.page.locator('[aria-controls=way-two]').click()
    await options?.(this.page)
    await this.page.locator('#way-two button[type=submit]').click()
    await expect(this.square('d4')).toHaveAttribute('data-disc', /black|white/)
  }

  /** Plays moves with the mouse (or `how`), each after the one before it is on the board. */
  async play(game: string, how: (square: Locator, name: string) => Promise<void> = (square) => square.click()): Promise<void> {
    for (const name of squares(game)) {
      await expect(this.square(name)).toHaveAttribute('data-legal', '')
      await how(this.square(name), name)
      await expect(this.square(name)).not.toHaveAttribute('data-disc', '')
    }
  }

  /**
   * Plays a game from its beginning, all but the last moves by the page's own way to the server and without the board: for what comes
   * before that which a test is about.
   */
  async hurry(game: string, byHand = 3): Promise<void> {
    const all = squares(game)
    await this.page.evaluate(async (moves) => {
      const socket = new WebSocket(`ws://${location.host}/api/socket`)
      const [, , game] = location.hash.split('/')
      await new Promise((resolve) => (socket.onopen = resolve))
      for (const [ply, square] of moves.entries()) {
        const id = crypto.randomUUID()
        const answer = new Promise<string>((resolve) => {
          socket.onmessage = ({ data }: MessageEvent<string>) => {
            if ((JSON.parse(data) as { id?: string }).id === id) resolve(data)
          }
        })
        socket.send(JSON.stringify({ id, type: 'play', game, square, ply }))
        if (!(await answer).includes('"done"')) throw new Error(`${square}: ${await answer}`)
      }
      socket.close()
    }, all.slice(0, -byHand))
    await this.play(all.slice(-byHand).join(''))
  }
}

interface Fixtures {
  server: Server
  table: Table
}

export const test = base.extend<Fixtures, { shared: Server }>({
  // One server for the tests of a worker; a test that kills it starts its own.
  shared: [
    async ({}, use) => {
      const server = new Server()
      await server.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ shared }, use) => use(shared),
  table: async ({ page, baseURL: _ }, use) => {
    const wrong: string[] = []
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION/.test(message.text())) wrong.push(message.text())
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') wrong.push(`asked ${request.url()}`)
    })
    await use(new Table(page))
    expect(wrong, 'errors, broken policies or requests to elsewhere').toEqual([])
  },
})
