// A whole game in the other two engines that browsers are made of, as a person would play it: `make browsers`.
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { Server } from '../tests/server.ts'
import { lines, picture } from './png.ts'
import { Browser, KEY, until, type Kind } from './webdriver.ts'

const KINDS: Kind[] = [
  {
    name: 'Firefox',
    driver: 'geckodriver',
    browser: 'firefox',
    arguments: (port) => ['--host', '127.0.0.1', '--port', String(port)],
    capabilities: {
      browserName: 'firefox',
      'moz:firefoxOptions': { args: ['-headless'], prefs: { 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false } },
    },
  },
  {
    name: 'WebKit',
    driver: 'WebKitWebDriver',
    browser: 'xvfb-run', // WebKit has no way to draw without a screen
    arguments: (port) => [`--port=${port}`],
    capabilities: {},
  },
]

/** Both sides have to pass once (White after 55, Black after 59); White wins 35–29. */
const GAME = 'e6f4c3c4e3f7e7d6c5b5f6b4g7e8b3f2a5a3c6d3b2g6f8g8g1a4g3b7h7e2d2f1h5h6f5d7h8h2g4a2c2b6h4a6a8b8e1g2f3c7c8d8h1g5h3b1a1d1a7c1'

const installed = (program: string) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0
const board = (browser: Browser) =>
  browser.run<string>(
    `return [...document.querySelectorAll('main [data-square]')].map((e) => ({ black: 'X', white: 'O' })[e.dataset.disc] ?? '-').join('')`,
  )
const square = (name: string) => `main [data-square="${name}"]`

describe.each(KINDS)('$name', (kind) => {
  let server: Server
  beforeAll(async () => {
    server = new Server()
    await server.start()
  })
  afterAll(() => server.stop())

  /** A test with a browser of its own. One that is not installed is listed as skipped; `make browsers` installs it. */
  function walk(name: string, through: (browser: Browser) => Promise<void>): void {
    test.skipIf(!installed(kind.driver) || !installed(kind.browser))(name, async () => {
      const browser = await Browser.start(kind)
      try {
        await through(browser)
      } finally {
        await browser.stop()
      }
    })
  }

  async function begin(browser: Browser, way: 'two' | 'computer'): Promise<void> {
    await browser.open(server.url)
    await browser.click(`[aria-controls=way-${way}]`)
    await browser.click(`#way-${way} button[type=submit]`)
    await browser.find(`${square('d4')}[data-disc=white]`)
  }

  async function play(browser: Browser, name: string): Promise<void> {
    await browser.find(`${square(name)}[data-legal]`)
    await browser.click(square(name))
    await until(`a disc lies on ${name}`, async () => (await browser.run<string>('return document.querySelector(arguments[0]).dataset.disc', square(name))) !== '')
  }

  walk('two people play a game to its end, with the mouse', async (browser) => {
    await browser.resize(1280, 900)
    await begin(browser, 'two')
    await until('all lines between the squares can be seen', async () => {
      const shot = picture(await browser.picture('.felt'))
      return lines(shot, true) === 7 && lines(shot, false) === 7
    })
    const moves = GAME.match(/../g) ?? []
    for (const [index, move] of moves.entries()) {
      await play(browser, move)
      if (index === 54) await until('the notice of a pass', async () => (await browser.text('[data-testid=pass-notice]')).includes('White has no move'))
    }
    await until('the result is shown', async () => (await browser.text('[data-testid=result]')).includes('35–29'))

    // Looking back, and on again.
    const end = await board(browser)
    await browser.run('document.activeElement?.blur()')
    await browser.keys(KEY.left, KEY.left)
    await until('an older position is shown', async () => (await board(browser)) !== end)
    await browser.keys(KEY.right, KEY.right)
    await until('the last position is shown', async () => (await board(browser)) === end)

    // The game is there after the page was loaded anew.
    await browser.open(server.url)
    await browser.click('a[href="#/games"]')
    await browser.click('main a[href^="#/game/"]')
    await until('the game is as it was', async () => (await board(browser)) === end)
  })

  walk('a person plays the computer with the keyboard, after a click of the mouse', async (browser) => {
    // The window stays as it came: without a window manager, one that was resized no longer counts as active in WebKit.
    await begin(browser, 'computer')
    await play(browser, 'd3')
    await browser.find('main [data-legal]')
    const [legal] = await browser.run<string[]>(`return [...document.querySelectorAll('main [data-legal]')].map((e) => e.dataset.square)`)
    await browser.keys(legal![0]!, legal![1]!)
    await until('the cursor can be seen', () => browser.run<boolean>('return document.activeElement.matches(arguments[0] + ":focus-visible")', square(legal!)))
    await browser.keys(KEY.enter)
    await until('the move is on the board', async () => (await board(browser)).replaceAll('-', '').length >= 7)
  })

  walk('a link can be copied where the page has no clipboard', async (browser) => {
    await browser.open(server.url)
    await browser.click('[aria-controls=way-nearby]')
    await browser.click('#way-nearby button[type=submit]')
    await browser.click('.waiting .button.main') // opens the door to the network
    await browser.find('.waiting .link')
    // As on a page that comes over plain http from another computer.
    await browser.run('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await browser.click('.waiting .button.main')
    await until('it says what became of it', async () => (await browser.text('[data-testid=copied]')) !== '')
  })
})
