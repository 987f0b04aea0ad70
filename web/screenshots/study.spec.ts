// Every part of the study in five windows, two languages and two looks, to be looked at by people: test-results/pictures/study, which git ignores.
import { mkdirSync } from 'node:fs'
import type { Browser } from '@playwright/test'
import { Server } from '../tests/server.ts'
import { expect, GAMES, Table, test, type Page } from '../tests/table.ts'
import { folderOf, readers, take, type Device, type Scene } from './take.ts'

/** Two levels of the program play; Black's b7, the 41st move, gives a corner away. */
const GAME =
  'f5d6c6f4f3b6c7f6e6d8c3g3h3c5c4e3g6b4a5a3b3d2a4a6e2g5d3f7h6g4h5h4c1a2b5g7h8h7d7e8b7e7b8c8a8c2b1g2f1g1h1h2g8f8b2a1a7d1f2e1'
/** Twelve squares are empty, and most moves give a corner away. */
const HINTED = 'f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1'
const TREE =
  '(;GM[2]FF[4]PB[Maximiliana de la Fuente]PW[Bartholomäus Wohlgemuth];B[f5](;W[d6]C[Perpendicular];B[c6];W[f4]TR[f3]CR[c4];B[f3](;W[b6];B[c7];W[f6];B[e6];W[d8];B[c3];W[g3];B[h3];W[c5])(;W[e3]C[Stays away from the wall, and keeps b6 for later.]))(;W[f6]C[Diagonal];B[e6])(;W[f4]))'
const PGN = [
  ['Copa de España', '1999', 'Ana Núñez', 'Luis', '64-0', GAMES.wipeOut],
  ['Copa de España', '1999', 'Luis', 'Ana Núñez', '40-24', GAMES.full],
  ['World Championship', '2004', 'Maximiliana de la Fuente', 'Bartholomäus Wohlgemuth', '29-35', GAMES.passes],
  ['Open', '2005', 'Zoë', 'Eva', '32-32', GAMES.draw],
  ['', '', 'Eva', '', '*', 'f5d6c3'],
]
  .map(([event, date, black, white, result, moves]) => {
    const numbered = (moves ?? '').match(/.{1,4}/g)?.map((pair, at) => `${at + 1}. ${pair.slice(0, 2)} ${pair.slice(2)}`)
    return `[Event "${event}"]\n[Date "${date}"]\n[Black "${black}"]\n[White "${white}"]\n[Result "${result}"]\n\n${numbered?.join(' ')}\n`
  })
  .join('\n')

/** Games and studies; and one where nobody has done anything yet. */
let server: Server
let fresh: Server
let scenes: Scene[]

test.describe.configure({ mode: 'serial' })
test.setTimeout(900_000)

const walk = (page: Page) => page.getByTestId('walk')

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)
}

async function begin(page: Page, text: string): Promise<string> {
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill(text)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(/#\/study\/[a-z0-9]+\/(\d+|review)/)
  return /study\/([a-z0-9]+)/.exec(page.url())?.[1] ?? ''
}

/** The values of a position have come, and come no more. */
async function searched({ page }: Table): Promise<void> {
  await expect(page.locator('.value').first()).toBeVisible()
  await expect(page.getByTestId('engine')).toHaveAttribute('data-searching', 'false', { timeout: 20_000 })
}

/** A phone shows one part at a time. */
const DRAWERS = ['line', 'moves', 'graph', 'tools'] as const
function drawer(which: (typeof DRAWERS)[number], before: (table: Table) => Promise<void>) {
  return async (table: Table, device: Device) => {
    await before(table)
    if (device === 'phone') await table.page.locator('.tabs button').nth(DRAWERS.indexOf(which)).click()
  }
}

async function prepare(browser: Browser): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const table = new Table(await context.newPage())
  const { page } = table
  await page.addInitScript(() => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none' })))
  const reviewed = await begin(page, GAME)
  await expect(walk(page)).toHaveAttribute('data-review', 'done', { timeout: 200_000 })
  const stops = Number(/(\d+)\D*$/.exec(await walk(page).locator('.count').innerText())?.[1])
  const tree = await begin(page, TREE)
  const plain = await begin(page, 'f5d6c3d3c4')
  await page.goto(`${server.url}/#/library`)
  await page.locator('input[type=file]').setInputFiles([
    { name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(PGN) },
    { name: 'bad.txt', mimeType: 'text/plain', buffer: Buffer.from('f5a1\n') },
  ])
  await expect(page.getByTestId('stats')).toBeVisible()
  await table.begin(server.url)
  await table.play(HINTED)
  const hinted = page.url()
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  const over = page.url()
  const as = { ...(await context.storageState()), origins: [] }
  await context.close()

  const study = `${server.url}/#/study`
  const review = `${study}/${reviewed}/review`
  const choice = (nth: number) => async ({ page }: Table) => {
    await walk(page).locator('.choices button').nth(nth).click()
    if (nth === 2) return expect(page.getByTestId('trial')).toBeVisible()
    await expect(page.getByTestId('line')).toBeVisible({ timeout: 15_000 })
  }
  const toEnd = async ({ page }: Table) => {
    await expect(walk(page).locator('.count')).toBeVisible()
    for (let at = 0; at < stops; at++) await page.keyboard.press('n')
    await expect(page.getByTestId('summary')).toBeVisible()
  }
  const last = async (table: Table) => {
    await table.page.keyboard.press('End')
    await searched(table)
  }
  const tool = (nth: number) => async (table: Table) => {
    await searched(table)
    if (await table.page.locator('.tabs').isVisible()) await table.page.locator('.tabs button').nth(3).click()
    await table.page.locator('.tools .row').nth(2).locator('button').nth(nth).click()
    await expect(table.page.locator('dialog')).toBeVisible()
  }
  const exercise = async ({ page }: Table) => expect(page.getByTestId('exercise')).toBeVisible()
  const answered = async (table: Table) => {
    await exercise(table)
    await table.square((await table.legal())[0] ?? '').click()
    await expect(table.page.locator('.told .row').first()).toBeVisible()
  }
  const lesson = (moves: string[]) => async (table: Table) => {
    await expect(table.page.getByTestId('lesson')).toBeVisible()
    for (const square of moves) await table.square(square).click()
  }
  const all: Scene[] = [
    { name: 'start-empty', url: `${fresh.url}/#/study`, then: async ({ page }) => expect(page.locator('.sample')).toBeVisible() },
    { name: 'start', url: study, then: async ({ page }) => expect(page.locator('li.card').first()).toBeVisible() },
    {
      name: 'start-refused',
      url: study,
      then: async ({ page }) => {
        await page.locator('#paste').fill('f5d6a1')
        await page.locator('form button[type=submit]').click()
        await expect(page.getByRole('alert')).toBeVisible()
      },
    },
    {
      name: 'start-delete',
      url: study,
      then: async ({ page }) => {
        await page.locator('li.card .button').first().click()
        await expect(page.locator('dialog')).toBeVisible()
      },
    },
    { name: 'board', url: `${study}/${plain}/0`, then: last },
    { name: 'board-start', url: `${study}/${plain}/0`, then: searched },
    { name: 'board-off', url: `${study}/${plain}/0`, then: async ({ page }) => page.keyboard.press(' ') },
    { name: 'tree', url: `${study}/${tree}/5`, then: drawer('moves', searched) },
    { name: 'tree-graph', url: `${study}/${tree}/5`, then: drawer('graph', searched), phonesOnly: true },
    { name: 'tree-tools', url: `${study}/${tree}/5`, then: drawer('tools', searched), phonesOnly: true },
    {
      name: 'overlay',
      url: `${study}/${reviewed}/30`,
      then: drawer('tools', async (table) => {
        await searched(table)
        await table.page.locator('#overlay').selectOption('regions', { force: true })
      }),
    },
    { name: 'editor', url: `${study}/${tree}/5`, then: tool(0) },
    {
      name: 'editor-refused',
      url: `${study}/${tree}/5`,
      then: async (table) => {
        await tool(0)(table)
        await table.page.locator('dialog .row button, dialog button').filter({ hasText: /Clear|Vaciar/ }).first().click()
        await table.page.locator('dialog .main').click()
        await expect(table.page.locator('dialog [role=alert]')).toBeVisible()
      },
    },
    { name: 'random', url: `${study}/${tree}/5`, then: tool(1) },
    {
      name: 'keys',
      url: `${study}/${plain}/0`,
      then: async (table) => {
        await searched(table)
        await table.page.keyboard.press('?')
        await expect(table.page.locator('dialog')).toBeVisible()
      },
    },
    { name: 'review', url: `${review}/41`, then: async ({ page }) => expect(walk(page).locator('.count')).toBeVisible() },
    { name: 'review-why', url: `${review}/41`, then: choice(0) },
    { name: 'review-better', url: `${review}/41`, then: choice(1) },
    { name: 'review-try', url: `${review}/41`, then: choice(2) },
    { name: 'review-moves', url: `${review}/41`, then: drawer('moves', choice(0)), phonesOnly: true },
    { name: 'review-graph', url: `${review}/41`, then: drawer('graph', choice(0)), phonesOnly: true },
    {
      name: 'review-settings',
      url: `${review}/41`,
      then: async ({ page }) => {
        await walk(page).locator('.foot [aria-expanded]').click()
        await walk(page).locator('.settings').scrollIntoViewIfNeeded()
      },
    },
    { name: 'review-end', url: review, then: toEnd },
    { name: 'gone', url: `${study}/nothere9`, then: async ({ page }) => expect(page.locator('main.gone')).toBeVisible() },
    {
      name: 'hint',
      url: hinted,
      then: async ({ page }) => {
        await expect(page.locator('[data-legal]').first()).toBeVisible()
        await page.keyboard.press('i')
        await expect(page.getByTestId('remark')).toHaveText(/(rival|opponent|corner|esquina)/, { timeout: 20_000 })
      },
    },
    { name: 'game-over', url: over, then: async (table) => expect(table.result).toBeVisible() },
    { name: 'library-empty', url: `${fresh.url}/#/library`, then: async ({ page }) => expect(page.locator('input[type=file]')).toBeAttached() },
    { name: 'library', url: `${server.url}/#/library`, then: async ({ page }) => expect(page.getByTestId('stats')).toBeVisible() },
    { name: 'library-position', url: `${server.url}/#/library/f5d6`, then: async ({ page }) => expect(page.getByTestId('stats')).toBeVisible() },
    { name: 'library-none', url: `${server.url}/#/library/f5f4`, then: async ({ page }) => expect(page.getByTestId('stats')).toBeVisible() },
    {
      name: 'library-rejected',
      url: `${server.url}/#/library`,
      then: async ({ page }) => {
        await page.getByRole('button', { name: /Add games|Añadir partidas/ }).click()
        await page.locator('input[type=file]').setInputFiles([{ name: 'a-file-with-a-rather-long-name-of-2024.txt', mimeType: 'text/plain', buffer: Buffer.from('f5a1\nf5d6c3\nf5d6h8\n') }])
        await expect(page.getByTestId('report')).toBeVisible()
      },
    },
    { name: 'exercises-empty', url: `${fresh.url}/#/exercises`, then: async ({ page }) => expect(page.getByTestId('kind-puzzles')).toBeVisible() },
    { name: 'puzzle', url: `${server.url}/#/exercises/puzzles`, then: exercise },
    { name: 'puzzle-answered', url: `${server.url}/#/exercises/puzzles`, then: answered },
    { name: 'opening', url: `${server.url}/#/exercises/openings`, then: exercise },
    { name: 'opening-answered', url: `${server.url}/#/exercises/openings`, then: answered },
    { name: 'mistakes-none', url: `${fresh.url}/#/exercises/mistakes`, then: async ({ page }) => expect(page.locator('main h1, main h2, main p').first()).toBeVisible() },
    { name: 'exercises', url: `${server.url}/#/exercises`, then: async ({ page }) => expect(page.getByTestId('kind-puzzles')).toBeVisible() },
    { name: 'lesson', url: `${server.url}/#/learn`, then: lesson([]) },
    {
      name: 'lesson-wrong',
      url: `${server.url}/#/learn`,
      then: async (table) => {
        await lesson(['h7'])(table)
        await expect(table.page.locator('.told .button')).toBeVisible()
      },
    },
    {
      name: 'lesson-right',
      url: `${server.url}/#/learn`,
      then: async (table) => {
        await lesson(['b8'])(table)
        await expect(table.square('b1')).toHaveAttribute('data-disc', 'white')
        await table.square('h8').click()
        await expect(table.page.locator('.told .button').first()).toBeVisible()
      },
    },
    {
      name: 'paste-refused',
      url: `${server.url}/#/games`,
      then: async ({ page }) => {
        await expect(page.locator('main h1')).toBeVisible()
        await paste(page, 'Dear Ana, see you on Friday')
        await expect(page.locator('dialog .problem')).toBeVisible()
      },
    },
    {
      name: 'paste-several',
      url: `${server.url}/#/games`,
      then: async ({ page }) => {
        await expect(page.locator('main h1')).toBeVisible()
        await paste(page, `${GAMES.full}\n${GAMES.passes}\n${GAMES.draw}\n`)
        await expect(page.locator('dialog')).toBeVisible()
      },
    },
    {
      name: 'share',
      url: `${study}/${tree}/5`,
      then: async (table) => {
        await searched(table)
        await table.page.locator('header button').first().click()
        await expect(table.page.getByTestId('share').locator('output')).toContainText('#/s/1')
      },
    },
    { name: 'shared-damaged', url: `${server.url}/#/s/1eJxLM00`, then: async ({ page }) => expect(page.getByRole('alert')).toBeVisible() },
  ]
  scenes = all.map((scene) => (String(scene.url).startsWith(fresh.url) ? scene : { ...scene, as }))
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(400_000)
  mkdirSync(folderOf('study'), { recursive: true })
  server = new Server()
  fresh = new Server()
  await Promise.all([server.start(), fresh.start()])
  await prepare(browser)
})
test.afterAll(async () => {
  await Promise.all([server.stop(), fresh.stop()])
})

readers('the study', async (browser, language, theme, device) => take(browser, 'study', scenes, language, theme, device))
