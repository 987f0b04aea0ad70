// What a player is told of the other one and of the game besides the moves: who is a program, the opening's name, the network's delay, a turn.
import { Member, played, seated } from './member.ts'
import { device, invitation, join, wait } from './nearby.ts'
import { Club, visitor } from './people.ts'
import { expect, squares, test, type Page, type Table } from './table.ts'

test.setTimeout(120_000)
const SOON = { timeout: 40_000 }
const rules = (time: object) => ({ time, overrun: 'loses', empties: 'to_winner', takebacks: false, opening: 'standard' })
const LIVE = rules({ kind: 'sudden_death', main_ms: 300_000 })

/** Lets the server's messages through, changed. */
async function told(page: Page, change: (message: string) => string): Promise<void> {
  await page.routeWebSocket('**/api/socket', (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => server.send(message))
    server.onMessage((message) => page.send(change(String(message))))
  })
}

test('a program is called one at the table and in the lists, on a phone too', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, bot] = [await Member.of(club, 'Ana'), await Member.of(club, 'Patient_Bot', { bot: true })]
  const table = await visitor(browser, { storageState: ana.storageState, viewport: { width: 360, height: 640 } })
  const { page } = table
  try {
    const game = await seated(ana, bot, LIVE)
    await page.goto(`${club.address}/#/game/${game}`)
    await expect(table.bar('white').locator('.tag')).toHaveText('Computer')
    await expect(table.bar('black').locator('.tag')).toHaveCount(0)
    await played(ana, bot, game, 'f5d6')
    await page.goto(`${club.address}/#/games`)
    await expect(page.locator('a.game')).toContainText(/Patient_Bot\s*Computer/)
  } finally {
    await page.context().close()
    await club.stop()
  }
})

test('the line that says whose turn it is stays where the bar to claim a game cannot be loaded', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, luis] = [await Member.of(club, 'Ana'), await Member.of(club, 'Luis')]
  const table = await visitor(browser, { storageState: ana.storageState })
  const { page } = table
  try {
    const game = await seated(ana, luis, LIVE)
    // An upgrade has taken the file away.
    await page.route(/assets\/later-.*\.js/, (route) => route.abort())
    await page.goto(`${club.address}/#/game/${game}`)
    const missing = page.waitForEvent('requestfailed', { predicate: (request) => request.url().includes('later-'), ...SOON })
    await table.play('f5')
    await missing
    await expect(table.status).toBeVisible()
    await expect(page.getByTestId('claim')).toHaveCount(0)
  } finally {
    await page.context().close()
    await club.stop()
  }
})

test('a pause can be asked for when all phrases are used up', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, luis] = [await Member.of(club, 'Ana'), await Member.of(club, 'Luis')]
  const table = await visitor(browser, { storageState: ana.storageState })
  const { page } = table
  try {
    const game = await seated(ana, luis, LIVE)
    await told(page, (message) => message.replace(',"say"]', ']'))
    await page.goto(`${club.address}/#/game/${game}`)
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Good luck!' })).toHaveCount(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Ask for a pause' }).click()
    await expect(page.getByTestId('offer')).toContainText('You asked Luis for a pause.')
  } finally {
    await page.context().close()
    await club.stop()
  }
})

test('what the network took and was given back is said where the game is saved', async ({ table, server }) => {
  const { page } = table
  await told(page, (message) => message.replace('"lag_ms":{"black":0,"white":0}', '"lag_ms":{"black":1234,"white":400}'))
  await table.begin(server.url)
  await table.hurry('f5d6c5f4e7f6g5e6e3')
  await page.getByTestId('save').click()
  await expect(page.getByTestId('lag')).toHaveText('The network’s delay was given back: Black 1.2 s, White 0.4 s.')
  const link = await page.getByRole('link', { name: 'JSON' }).getAttribute('href')
  const written = await page.request.get(new URL(link ?? '', page.url()).href)
  const game = (await written.json()) as { moves: { square: string }[]; verdict: { ending: string } }
  expect(game.moves.map(({ square }) => square)).toEqual(squares('f5d6c5f4e7f6g5e6e3'))
  expect(game.verdict.ending).toBe('wiped_out')
})

for (const [width, height] of [
  [360, 640],
  [1280, 800],
] as const) {
  test(`the opening is called by its name, in ${width} × ${height}, and nothing moves for it`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize({ width, height })
    await table.begin(server.url)
    const name = page.getByTestId('opening')
    const board = () => page.locator('main .board').boundingBox()
    const before = await board()
    await expect(name).toHaveCount(0)
    await table.play('f5d6')
    await expect(name).toHaveText('Perpendicular')
    await table.play('c3d3c4')
    await expect(name).toHaveText('Tiger')
    expect(await board()).toEqual(before)
    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
    // It stays when the moves leave what has a name, and is that of the position one looks at.
    await table.play('f4')
    await expect(name).toHaveText('Tiger')
    await page.keyboard.press('Home')
    await expect(name).toHaveCount(0)
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
    await expect(name).toHaveText('Perpendicular')
    await page.keyboard.press('End')
    // Taken back, it is taken back with the moves.
    for (const left of [5, 4]) {
      await page.getByRole('button', { name: 'Take back' }).click()
      await expect(table.moves.locator('li')).toHaveCount(left)
    }
    await page.reload()
    await expect(name).toHaveText('Perpendicular')
    await page.evaluate(() => localStorage.setItem('outflank.prefs', JSON.stringify({ language: 'es' })))
    await page.reload()
    await table.play('c4')
    await expect(name).toHaveText('Tigre')
    await page.getByRole('button', { name: 'Ajustes' }).click()
    await page.getByRole('switch', { name: 'Nombres de las aperturas' }).uncheck()
    await page.keyboard.press('Escape')
    await expect(name).toHaveCount(0)
  })
}

/** Stands in for the browser's notices, and for a page that nobody looks at. */
async function unseen(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const shown: object[] = []
    class Notice {
      static permission = 'granted'
      static requestPermission = () => Promise.resolve('granted')
      constructor(title: string, options: object) {
        shown.push({ title, ...options })
      }
    }
    Object.assign(window, { Notification: Notice, shown })
    // A minute is over sooner here.
    const every = window.setInterval
    window.setInterval = ((call: () => void, ms: number) => every(call, ms === 60_000 ? 300 : ms)) as typeof setInterval
    Object.defineProperty(document, 'hidden', { get: () => true })
    localStorage.setItem('outflank.prefs', JSON.stringify({ notify: true, sound: false }))
  })
}
const notices = (page: Page) => page.evaluate(() => (window as unknown as { shown: { title: string; body: string; tag: string }[] }).shown)

/** Begins so many games through the page's own line, which are newer than whatever else there is. */
async function beginMany(page: Page, count: number): Promise<void> {
  await page.evaluate(
    async ([count, rules]) => {
      const socket = new WebSocket(`ws://${location.host}/api/socket`)
      await new Promise((resolve) => (socket.onopen = resolve))
      let left = count
      const all = new Promise<void>((resolve) => {
        socket.onmessage = ({ data }: MessageEvent<string>) => {
          if (data.includes('"done"') && --left === 0) resolve()
        }
      })
      const seats = { black: { kind: 'person', name: 'Ana' }, white: { kind: 'open' } }
      for (let i = 0; i < count; i++) socket.send(JSON.stringify({ id: crypto.randomUUID(), type: 'create', seats, rules }))
      await all
      socket.close()
    },
    [count, LIVE] as const,
  )
}

test('a turn in an old game is told although many games have begun since, and once', async ({ table, server, browser }) => {
  await wait(table.page, server.url)
  const guest = await device(browser)
  const page = await table.page.context().newPage()
  try {
    await join(guest, await invitation(table.page))
    await table.play('f5')
    const game = new URL(table.page.url()).hash.split('/')[2]
    // More than a page of the list holds.
    await beginMany(table.page, 35)
    await table.page.close()
    await unseen(page)
    const looks: string[] = []
    page.on('websocket', (line) => line.on('framereceived', ({ payload }) => void (String(payload).includes('"type":"games"') && looks.push(String(payload)))))
    await page.goto(`${server.url}/#/how-to-play`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The second from now on has begun after now.
    const look = async () => {
      const before = looks.length
      await expect.poll(() => looks.length, SOON).toBeGreaterThan(before + 1)
    }
    // What is so from the beginning is no news.
    await look()
    expect(await notices(page)).toEqual([])
    await guest.play('d6')
    await look()
    await expect.poll(() => notices(page)).toMatchObject([{ title: 'Your turn', tag: game }])
    await look()
    expect(await notices(page)).toHaveLength(1)
  } finally {
    await guest.page.context().close()
  }
})

test('the quick buttons say which opening they look for, and let choose it, on a phone too', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const eva: Table = await visitor(browser, { viewport: { width: 360, height: 640 } })
  const { page } = eva
  const balanced = page.getByRole('switch', { name: 'Balanced opening' })
  const looking = page.getByText('Looking for an opponent…')
  try {
    await page.goto(`${club.address}/#/lobby`)
    await expect(balanced).not.toBeChecked()
    // What was chosen for an offer is seen here too.
    await page.getByRole('button', { name: 'Make an offer' }).click()
    await page.getByRole('radio', { name: 'Balanced' }).check()
    await page.keyboard.press('Escape')
    await expect(balanced).toBeChecked()
    await page.getByRole('button', { name: '10 min' }).click()
    await expect(looking).toBeVisible()
    await expect(page.locator('.looking')).toContainText('balanced')
    await page.getByRole('button', { name: 'Stop' }).click()
    await balanced.uncheck()
    await page.getByRole('button', { name: '10 min' }).click()
    await expect(looking).toBeVisible()
    await expect(page.locator('.looking')).not.toContainText('balanced')
  } finally {
    await page.context().close()
    await club.stop()
  }
})
