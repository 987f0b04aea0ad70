// Every scene in every window, language and look, to be looked at by people: test-results/pictures, which git ignores.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { playOut, scriptedComputer } from '../tests/computer.ts'
import { invitation, wait } from '../tests/nearby.ts'
import { Server } from '../tests/server.ts'
import { expect, GAMES, Table, test } from '../tests/table.ts'

const folder = fileURLToPath(new URL('../test-results/pictures/', import.meta.url))
const SIZES = { desktop: [1280, 800], phone: [390, 844], small: [360, 640], wide: [2560, 1080], square: [900, 860], zoomed: [640, 400] } as const
const MIDGAME = 'e6d6c4f6c7c6c5b3d7c3e3f4g3d8e7f7f3e8f5g4g5g6d3c2b4a4d2'

interface Scene {
  name: string
  url: string
  /** White is shown as the computer. */
  computer?: boolean
  /** Opened by somebody who was not here before. */
  stranger?: boolean
  then?: (table: Table) => Promise<void>
}

let server: Server
/** Where nobody has played yet. */
let fresh: Server
let scenes: Scene[]
let state: Exclude<BrowserContextOptions['storageState'], string | undefined>

test.describe.configure({ mode: 'serial' })
test.setTimeout(400_000)

async function prepare(browser: Browser): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const table = new Table(await context.newPage())
  const { page } = table
  await page.addInitScript(() => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none' })))
  const begin = (black: string, white: string, more?: () => Promise<void>) =>
    table.begin(server.url, async (start) => {
      await start.locator('#black-name').fill(black)
      await start.locator('#white-name').fill(white)
      await start.getByRole('radio', { name: 'Custom' }).check()
      await start.getByRole('radio', { name: 'Fixed' }).check()
      await start.getByLabel('Minutes for each player').fill('20')
      await more?.()
    })
  const found: Scene[] = [
    { name: 'start-first', url: fresh.url, stranger: true },
    {
      name: 'start-computer',
      url: fresh.url,
      stranger: true,
      then: async (table) => {
        await table.page.locator('[aria-controls=way-computer]').click()
        await expect(table.page.locator('#way-computer')).toBeVisible()
      },
    },
    { name: 'how-to-play', url: `${server.url}/#/how-to-play`, stranger: true },
  ]
  const add = (name: string, more: Partial<Scene> = {}) => found.push({ name, url: page.url(), ...more })

  await begin('Ana', 'Luis')
  await table.play(GAMES.draw)
  add('end-drawn')
  await begin('Maximiliana de la Fuente', 'Bartholomäus Wohlgemuth1')
  await table.play(GAMES.early)
  add('end-early')
  await begin('Ana', 'Luis', async () => page.getByLabel('Minutes for each player').fill('0.1'))
  await table.play('f5')
  await expect(table.result).toBeVisible({ timeout: 20_000 })
  add('end-flag')
  await begin('Ana', 'Luis')
  await table.play(MIDGAME.slice(0, 24))
  await page.getByRole('button', { name: 'Resign' }).click()
  await page.getByRole('button', { name: 'Black resigns' }).click()
  await expect(table.result).toBeVisible()
  add('end-resigned')
  await begin('Ana', 'Luis')
  await table.play(GAMES.pass)
  add('pass')

  const other = await context.newPage()
  const against = new Table(other)
  await other.addInitScript(() => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none' })))
  const computer = await scriptedComputer(other)
  for (const [name, game] of [
    ['end-won', GAMES.full],
    ['end-lost', GAMES.passes],
  ] as const) {
    await against.begin(server.url)
    await playOut(against, computer, game)
    await expect(against.result).toBeVisible()
    found.push({ name, url: other.url(), computer: true })
  }
  await other.close()

  await wait(page, server.url)
  const link = await invitation(page)
  add('waiting')
  found.push({ name: 'joining', url: link, stranger: true })

  await begin('Maximiliana de la Fuente', 'Bartholomäus Wohlgemuth1')
  await table.play(MIDGAME)
  add('game', { then: async (table) => void (await table.legal()) })
  add('looking-back', { then: async (table) => table.page.locator('main button.prev').click() })
  add('help', { then: async (table) => table.page.keyboard.press('?') })
  add('settings', { then: async (table) => table.page.locator('header nav button:last-child').click() })
  found.push({ name: 'start-again', url: server.url })
  found.push({ name: 'games', url: `${server.url}/#/games` })
  scenes = found
  state = await context.storageState()
  await context.close()
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(400_000)
  mkdirSync(folder, { recursive: true })
  server = new Server()
  fresh = new Server()
  await Promise.all([server.start(), fresh.start()])
  await prepare(browser)
})
test.afterAll(async () => {
  await Promise.all([server.stop(), fresh.stop()])
})

/** All scenes in all windows, for one reader. */
async function take(browser: Browser, reader: string, language: string, theme: string, options: BrowserContextOptions = {}): Promise<void> {
  for (const scene of scenes) {
    const context = await browser.newContext({
      locale: language,
      ...(scene.stranger ? {} : { storageState: { ...state, origins: [] } }),
      ...options,
    })
    const page = await context.newPage()
    await page.addInitScript(
      ([language, theme]) => {
        localStorage.setItem('outflank.prefs', JSON.stringify({ language, theme, speed: 'none', sound: false }))
        if (!localStorage.getItem('outflank.choices')) localStorage.setItem('outflank.choices', JSON.stringify({ way: 'computer', level: 9, colour: 'black' }))
      },
      [language, theme],
    )
    if (scene.name === 'start-first') await page.addInitScript(() => localStorage.removeItem('outflank.choices'))
    if (scene.computer) await scriptedComputer(page)
    const table = new Table(page)
    await page.goto(scene.url)
    await expect(page.locator('h1').first()).toBeAttached()
    await expect(page.locator('main').first()).toBeVisible()
    await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
    // The choices come when the server has said whether there is a game to go on with.
    if (scene.name.startsWith('start')) await expect(page.locator('.ways')).toBeVisible()
    await scene.then?.(table)
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      await page.setViewportSize({ width, height })
      // The board takes its measure when the window is drawn.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await page.screenshot({ path: `${folder}${scene.name}-${size}-${reader}.png` })
    }
    await context.close()
  }
}

for (const language of ['en', 'es']) {
  for (const theme of ['light', 'dark', 'contrast']) {
    test(`pictures: ${language}, ${theme}`, async ({ browser }) => take(browser, `${language}-${theme}`, language, theme))
  }
}
test('pictures: forced colours', async ({ browser }) => take(browser, 'forced', 'en', 'system', { forcedColors: 'active' }))
