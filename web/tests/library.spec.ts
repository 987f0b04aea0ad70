// The library, as its owner fills and searches it: by mouse, by keyboard, in both languages, on a desktop and a phone.
import { violations } from './axe.ts'
import { Server } from './server.ts'
import { expect, GAMES, test, Table, type Page } from './table.ts'

// Our own games, some of them seen from another side.
const PGN = [
  ['Copa', '1999', 'Ana Núñez', 'Luis', '64-0', GAMES.wipeOut],
  ['Copa', '1999', 'Luis', 'Ana Núñez', '40-24', GAMES.full],
  ['Open', '2004', 'Eva', 'Luis', '29-35', GAMES.passes],
  ['Open', '2005', 'Zoë', 'Eva', '32-32', GAMES.draw],
  ['', '', 'Eva', '', '*', 'f5d6c3'],
]
  .map(([event, date, black, white, result, moves]) => {
    const numbered = (moves ?? '').match(/.{1,4}/g)?.map((pair, at) => `${at + 1}. ${pair.slice(0, 2)} ${pair.slice(2)}`)
    return `[Event "${event}"]\n[Date "${date}"]\n[Black "${black}"]\n[White "${white}"]\n[Result "${result}"]\n\n${numbered?.join(' ')}\n`
  })
  .join('\n')

let own: Server
test.beforeEach(async () => {
  own = new Server()
  await own.start()
})
test.afterEach(() => own.stop())

async function open(page: Page, prefs: object = {}): Promise<void> {
  await page.addInitScript((prefs) => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none', sound: false, ...prefs })), prefs)
  await page.goto(`${own.url}/#/library`)
}

async function fill(page: Page): Promise<void> {
  const chosen = page.waitForEvent('filechooser')
  await page.locator('label:has(input[type=file])').click()
  await (await chosen).setFiles([
    { name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(PGN) },
    { name: 'bad.txt', mimeType: 'text/plain', buffer: Buffer.from('f5a1\n') },
  ])
  await expect(page.getByTestId('stats')).toBeVisible()
}

test('an empty library teaches, takes files, and explains what it does not take', async ({ page }) => {
  await open(page)
  await expect(page).toHaveTitle('Library · Outflank')
  await expect(page.getByText('WTHOR, the French federation')).toBeVisible()
  await fill(page)
  const report = page.getByTestId('report')
  await expect(report).toContainText('5 games added, 0 already there, 1 not taken.')
  await expect(report).toContainText('bad.txt, game 1, line 1 move 2: a1 turns no disc')
  await page.getByLabel('Or paste games as text').fill(`${GAMES.early}\nf5a1\n${GAMES.early}`)
  await page.getByRole('button', { name: 'Add this text' }).click()
  await expect(report).toContainText('1 game added, 1 already there, 1 not taken.')
  await expect(report).toContainText('line 2')
  await expect(report).toContainText('move 2: a1 turns no disc')
  await expect(page.getByTestId('stats')).toContainText('6 games, 4 players, 2 tournaments')
})

test('the study says what people played in its position, and goes on with it', async ({ page }) => {
  const table = new Table(page)
  await open(page)
  await fill(page)
  await page.goto(`${own.url}/#/study`)
  await page.locator('#paste').fill('f5')
  await page.locator('form button[type=submit]').click()
  const people = page.getByTestId('people')
  // The reader stands before the move: every game begins there.
  await expect(people).toContainText('5 games in the library')
  await page.keyboard.press('ArrowRight')
  await expect(people).toContainText('5 games in the library')
  await expect(people).toContainText(/Black won \d+ %, drawn \d+ %, White won \d+ %/)
  await people.getByRole('button', { name: /^d6, played \d times/ }).click()
  await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')
  // What is known of the next position is looked at too.
  await expect(people.getByRole('button', { name: /^c5, played once/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('the board walks through what was played, from any side, and the search narrows it', async ({ page }) => {
  const table = new Table(page)
  await open(page)
  await fill(page)
  const all = page.getByTestId('games')
  await expect(all).toHaveText('5')
  // How they went stands there in numbers too.
  await expect(page.locator('tfoot .numbers')).toHaveText(/^\d+ %\d+ %\d+ %$/)
  // The first moves are one, whichever of the four squares it was.
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await table.square('f5').click()
  await expect(page).toHaveURL(/#\/library\/f5$/)
  await expect(all).toHaveText('5')
  await page.getByRole('button', { name: 'd6', exact: true }).click()
  await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')
  await expect(all).not.toHaveText('5')
  await page.getByRole('link', { name: 'Start' }).click()
  await expect(all).toHaveText('5')
  await page.getByLabel('Player').fill('nunez')
  await expect(all).toHaveText('2')
  await page.getByLabel('From year').fill('2000')
  await expect(all).toHaveText('0')
  await expect(page.getByText('No game like that is in the library.')).toBeVisible()
  await page.getByLabel('From year').fill('')
  await page.getByLabel('Player').fill('')
  await page.getByRole('radio', { name: 'Draw' }).check()
  await expect(all).toHaveText('1')
  await expect(page.getByRole('button', { name: 'Zoë – Eva Open' })).toBeVisible()
  // A selection is saved as a file.
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'TXT' }).click()])
  expect(file.suggestedFilename()).toBe('outflank-library.txt')
  const text = await (await file.createReadStream()).toArray()
  expect(Buffer.concat(text).toString()).toBe(`${GAMES.draw}\n`)
  // A game opens in the study, at the position that was looked for.
  await page.getByRole('button', { name: 'Zoë – Eva Open' }).click()
  await expect(page).toHaveURL(/#\/study\/\w+/)
  await expect(page.getByPlaceholder('Zoë – Eva')).toBeVisible()
})

test('moves that cannot be played are told, and a board that was set up is looked for', async ({ page }) => {
  await open(page)
  await fill(page)
  await page.goto(`${own.url}/#/library/a1`)
  await expect(page.getByRole('alert')).toHaveText('These moves cannot be played: the address is not right.')
  await page.getByRole('link', { name: 'Start' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByTestId('games')).toHaveText('5')
  // From the study, by the board alone, and on from there.
  await page.goto(`${own.url}/#/study`)
  await page.locator('#paste').fill('d3c5')
  await page.locator('form button[type=submit]').click()
  await page.keyboard.press('End')
  await page.getByTestId('people').getByRole('link').click()
  await expect(page).toHaveURL(/#\/library\/board\/[-XO]{64}X$/)
  const games = Number(await page.getByTestId('games').innerText())
  expect(games).toBeGreaterThan(0)
  await page.locator('tbody').getByRole('button').first().click()
  await expect(page).toHaveURL(/#\/library\/board\/[-XO]{64}X\/[a-h][1-8]$/)
  await page.goBack()
  await expect(page.getByTestId('games')).toHaveText(String(games))
  // A game that was opened before is the same study again.
  const study = async () => {
    await page.goto(`${own.url}/#/library`)
    await page.getByRole('button', { name: 'Zoë – Eva Open' }).click()
    await expect(page).toHaveURL(/#\/study\/\w+/)
    return /study\/(\w+)/.exec(page.url())?.[1]
  }
  const first = await study()
  expect(await study()).toBe(first)
})

test('games leave it, one or all of a file, after a question', async ({ page }) => {
  await open(page)
  await fill(page)
  await page.getByRole('button', { name: 'Remove this game: Zoë – Eva' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByTestId('games')).toHaveText('5')
  await page.getByRole('button', { name: 'Remove this game: Zoë – Eva' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove this game' }).click()
  await expect(page.getByTestId('games')).toHaveText('4')
  await page.getByText('Where the games came from').click()
  await page.getByRole('button', { name: 'Remove these games: games.pgn' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove these games' }).click()
  await expect(page.getByRole('heading', { name: 'A library of games' })).toBeVisible()
})

test('a game that is finished here joins, until that is switched off', async ({ page }) => {
  const table = new Table(page)
  await table.begin(own.url)
  await table.play(GAMES.wipeOut)
  await open(page)
  await expect(page.getByTestId('stats')).toContainText('1 game')
  await page.getByText('Where the games came from').click()
  await expect(page.getByText('Games played here')).toBeVisible()
  const own_ = page.getByRole('switch', { name: 'My finished games join the library' })
  await own_.click()
  await page.reload()
  await page.getByText('Where the games came from').click()
  await expect(own_).not.toBeChecked()
})

for (const [language, title] of [
  ['en', 'Library'],
  ['es', 'Biblioteca'],
] as const) {
  for (const [window, width, height] of [
    ['desktop', 1280, 800],
    ['phone', 390, 844],
  ] as const) {
    test(`axe finds nothing wrong and nothing is cut off (${language}, ${window})`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await open(page, { language, theme: language === 'es' ? 'dark' : 'light' })
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
      await expect(page.locator('input[type=file]')).toBeAttached()
      const check = async (where: string) => {
        expect(await violations(page), where).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), where).toBeLessThanOrEqual(0)
        await page.screenshot({ path: `test-results/library/${where}-${language}-${window}.png`, fullPage: true })
      }
      await check('empty')
      await fill(page)
      await expect(page.getByTestId('games')).toHaveText('5')
      await check('filled')
      await page.locator('tbody button').first().click()
      await expect(page.locator('tbody tr')).not.toHaveCount(1)
      await page.locator('header button[aria-expanded=true]').click()
      await check('position')
    })
  }
}
