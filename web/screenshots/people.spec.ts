// Every page on which people meet, empty, busy, refused and wrong, in five windows, two languages and two looks: test-results/pictures/people.
import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { Member, played, seated } from '../tests/member.ts'
import { Club } from '../tests/people.ts'
import { Server } from '../tests/server.ts'
import { expect, GAMES, test, type Table } from '../tests/table.ts'
import { folderOf, readers, take, type Scene } from './take.ts'

const LONG = 'Maximiliana_de_la_Fu'
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  '',
]
const time = (main_ms: number) => ({ kind: 'sudden_death', main_ms })
const rules = (clock: object, more: object = {}) => ({ time: clock, overrun: 'loses', empties: 'to_winner', takebacks: false, opening: 'standard', ...more })
const HOURS = time(10_800_000)
const DAYS = { kind: 'per_move', per_move_ms: 259_200_000 }

/** Busy; one where nobody is yet; and a household, whose owner looks at it. */
let club: Club
let quiet: Club
let home: Server
let members: Member[] = []
let scenes: Scene[]

test.describe.configure({ mode: 'serial' })
test.setTimeout(900_000)

/** Asks as the page's person, by the page's own way: what programs cannot ask for. */
async function tell(page: Page, what: object): Promise<void> {
  await page.evaluate(async (what) => {
    const socket = new WebSocket(`ws://${location.host}/api/socket`)
    await new Promise((resolve) => (socket.onopen = resolve))
    const id = crypto.randomUUID()
    const done = new Promise<void>((resolve) => {
      socket.onmessage = (event: MessageEvent<string>) => {
        if ((JSON.parse(event.data) as { id?: string }).id === id) resolve()
      }
    })
    socket.send(JSON.stringify({ id, ...what }))
    await done
    socket.close()
  }, what)
}

/** Answers in the server's place. */
function answer(page: Page, path: string, body: object, status = 200): Promise<unknown> {
  return page.route(`**/api/${path}`, (route) => route.fulfill({ status, json: body }))
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(400_000)
  mkdirSync(folderOf('people'), { recursive: true })
  club = new Club()
  quiet = new Club()
  home = new Server()
  await Promise.all([club.open(), quiet.open(), home.start()])
  const [ana, luis, max, bot, eva] = (members = [await Member.of(club, 'Ana'), await Member.of(club, 'Luis'), await Member.of(club, LONG), await Member.of(club, 'Patient_Bot'), await Member.of(club, 'Eva')]) as [Member, Member, Member, Member, Member]
  const alone = await Member.of(quiet, 'Ana')
  members.push(alone)
  await bot.ask('account/bot', {}).catch(() => undefined)
  // Games that counted, one by days, and some that go on.
  let rated = ''
  for (const [black, white, clock, opening] of [
    [ana, luis, time(600_000), 'standard'],
    [ana, max, time(600_000), 'standard'],
    [luis, ana, time(180_000), 'standard'],
    [max, luis, DAYS, 'standard'],
    [ana, bot, time(1_800_000), 'standard'],
    [eva, ana, time(600_000), 'standard'],
  ] as const) {
    const game = await seated(black, white, rules(clock, { rated: true, opening }))
    await played(black, white, game, GAMES.wipeOut)
    rated ||= game
  }
  const going = async (black: Member, white: Member, clock: object, moves: string, more: object = {}) => {
    const game = await seated(black, white, rules(clock, more))
    await played(black, white, game, moves)
    return game
  }
  const MIDDLE = 'f5d6c3d3c4f4f6'
  const byDays = await going(ana, luis, DAYS, 'f5d6')
  await going(luis, ana, DAYS, MIDDLE)
  const [left, paused, asked, over, takeback] = [
    await going(ana, eva, HOURS, 'f5d6c3'),
    await going(ana, luis, HOURS, MIDDLE),
    await going(ana, luis, HOURS, MIDDLE),
    await going(ana, max, HOURS, GAMES.wipeOut),
    await going(ana, luis, HOURS, 'f5d6', { takebacks: true }),
  ]
  const pages = new Map<Member, Page>()
  for (const who of [ana, luis, max]) {
    const page = await (await browser.newContext({ storageState: who.storageState })).newPage()
    await page.goto(`${club.address}/favicon.svg`)
    pages.set(who, page)
  }
  const says = (who: Member, what: object) => tell(pages.get(who) as Page, what)
  await says(luis, { type: 'say', game: paused, phrase: 'one_moment' })
  await says(ana, { type: 'say', game: paused, phrase: 'good_luck' })
  await says(luis, { type: 'pause', game: paused })
  await says(ana, { type: 'answer', game: paused, what: 'pause', accept: true })
  await says(luis, { type: 'pause', game: asked })
  await says(max, { type: 'say', game: over, phrase: 'good_game' })
  await says(max, { type: 'again', game: over, swap: true })
  await says(luis, { type: 'takeback', game: takeback, ply: 2 })
  await Promise.all([...pages.values()].map((page) => page.context().close()))
  // Who waits in the lobby: by minutes for as long as they stay, by days until somebody comes.
  const zoe = await Member.of(club, 'Zoe')
  members.push(zoe)
  await Promise.all([max, zoe, bot, luis].map((who) => who.stay()))
  for (const [who, clock, more, wish] of [
    [max, { kind: 'fischer', main_ms: 300_000, increment_ms: 3000 }, { rated: true, opening: 'balanced' }, { rated: true, color: 'black' }],
    [zoe, time(900_000), { takebacks: true }, { rated: false }],
    [bot, DAYS, { rated: true }, { rated: true }],
    [luis, DAYS, { rated: true, opening: 'balanced' }, { rated: true, color: 'white' }],
  ] as const) {
    await who.ask('offers', { rules: rules(clock, more), ...wish })
  }
  const { game: waiting } = await ana.ask<{ game: string }>('games', { seats: { black: { kind: 'person', name: 'Ana' }, white: { kind: 'open' } }, rules: rules(time(900_000), { rated: true }) })
  const { invites } = await ana.ask<{ invites: { white: string } }>(`games/${waiting}`)

  const at = (path: string) => `${club.address}/#/${path}`
  const as = ana.storageState
  const heading = async ({ page }: Table) => expect(page.locator('h1').first()).toBeVisible()
  const offers = async ({ page }: Table) => expect(page.locator('main li').first()).toBeVisible()
  const submit = async ({ page }: Table) => page.locator('main form [type=submit]').first().click()
  const alert = async ({ page }: Table) => expect(page.getByRole('alert').first()).toBeVisible()
  const playing = async (table: Table) => expect(table.square('d4')).toHaveAttribute('data-disc', /black|white/)
  const making = async ({ page }: Table) => {
    await offers({ page } as Table)
    await page.locator('section.offers .head .button').click()
    await expect(page.locator('dialog')).toBeVisible()
  }
  const opened = async (table: Table) => {
    await heading(table)
    await table.page.locator('details').last().waitFor()
    await table.page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))
  }
  const kept = async (page: Page) => {
    const seen = Date.now() - 7_200_000
    await answer(page, 'sessions', AGENTS.map((agent, id) => ({ id: String(id), agent, seen: seen - id * 90_000_000, made: seen, here: id === 0 })))
    await answer(page, 'passkeys', AGENTS.slice(0, 2).map((agent, id) => ({ id: String(id), agent, site: id ? 'https://otro-servidor.example' : club.address, made: seen, seen: id ? null : seen })))
    await answer(page, 'tokens', [
      { id: '1', name: 'My bot', scopes: ['play', 'read'], seen: null },
      { id: '2', name: 'Statistics of our club', scopes: ['read'], seen },
    ])
  }
  const household = async (table: Table) => {
    await heading(table)
    const seen = Date.now() - 7_200_000
    await answer(table.page, 'admin/people?part=*', {
      people: ['Ana', LONG, 'Luis', 'Patient_Bot'].map((handle, nth) => ({ handle, bot: nth === 3, made: seen - nth * 900_000_000, suspended: nth === 2 ? seen : null })),
    })
    await answer(table.page, 'admin/audit*', {
      entries: [
        { type: 'reset', handle: LONG },
        { type: 'suspend', handle: 'Luis' },
        { type: 'announce', text: 'The server restarts at ten tonight; games are kept, and clocks stand still meanwhile.' },
        { type: 'lobby', open: true },
      ].map((what, nth) => ({ number: 9 - nth, at: seen - nth * 4_000_000, who: nth === 1 ? LONG : null, what })),
    })
    await table.page.reload()
    await expect(table.page.locator('section[aria-labelledby=audit] li').first()).toBeVisible()
  }
  const owner = `${home.url}/#/admin`

  scenes = [
    // The way to others.
    { name: 'start-guest', url: club.address, then: async ({ page }) => expect(page.locator('.speeds')).toBeVisible() },
    { name: 'start', url: club.address, as, then: async ({ page }) => expect(page.locator('.speeds')).toBeVisible() },
    {
      name: 'start-looking',
      url: quiet.address,
      as: alone.storageState,
      then: async ({ page }) => {
        await page.locator('.speeds button').first().click()
        await expect(page.locator('.looking')).toBeVisible()
      },
    },
    {
      name: 'start-rated-link',
      url: club.address,
      as,
      then: async ({ page }) => {
        await page.locator('[aria-controls=way-nearby]').click()
        await page.locator('#way-nearby [role=switch]').first().check()
        await page.locator('#way-nearby [role=switch]').first().scrollIntoViewIfNeeded()
      },
    },
    // The lobby.
    { name: 'lobby', url: at('lobby'), as, then: offers },
    { name: 'lobby-guest', url: at('lobby'), then: offers },
    {
      name: 'lobby-refused',
      url: at('lobby'),
      then: async (table) => {
        await offers(table)
        await table.page.locator('main li .main').nth(2).click()
        await alert(table)
      },
    },
    { name: 'lobby-own', url: at('lobby'), as: luis.storageState, then: offers },
    { name: 'lobby-empty', url: `${quiet.address}/#/lobby`, then: async ({ page }) => expect(page.locator('.empty')).toBeVisible() },
    { name: 'lobby-closed', url: `${home.url}/#/lobby`, then: heading },
    { name: 'offer', url: at('lobby'), as, then: making },
    {
      name: 'offer-wrong',
      url: at('lobby'),
      as,
      then: async (table) => {
        await making(table)
        await table.page.locator('dialog input[type=number]').first().fill('0')
        await table.page.locator('dialog [type=submit]').click()
        await table.page.locator('dialog summary').click()
      },
    },
    { name: 'offer-guest', url: at('lobby'), then: making },
    {
      name: 'challenge',
      url: at(`people/${LONG}`),
      as,
      then: async ({ page }) => {
        await page.locator('main .button.main').click()
        await expect(page.locator('dialog')).toBeVisible()
      },
    },
    {
      name: 'challenge-sent',
      url: at('people/Eva'),
      as,
      then: async ({ page }) => {
        await page.locator('main .button.main').click()
        await page.locator('dialog [type=submit]').click()
        await expect(page.locator('.said')).not.toBeEmpty()
      },
    },
    {
      name: 'challenged',
      url: at('leaders'),
      as,
      then: async (table) => {
        await heading(table)
        await max.ask('challenges', { handle: 'Ana', rules: rules(DAYS, { rated: true, opening: 'balanced' }), rated: true }).catch(() => undefined)
        await expect(table.page.locator('aside .button').first()).toBeVisible()
      },
    },
    // The account.
    { name: 'sign-in', url: at('account'), then: heading },
    {
      name: 'sign-in-wrong',
      url: at('account'),
      then: async (table) => {
        await answer(table.page, 'session', { why: 'wrong_password' }, 401)
        await table.page.locator('input').nth(2).fill('Ana')
        await table.page.locator('input[type=password]').fill('not the password')
        await submit(table)
        await alert(table)
      },
    },
    {
      name: 'sign-in-suspended',
      url: at('account'),
      then: async (table) => {
        await answer(table.page, 'session', { why: 'suspended' }, 403)
        await table.page.locator('input').nth(2).fill('Ana')
        await table.page.locator('input[type=password]').fill('not the password')
        await submit(table)
        await alert(table)
      },
    },
    {
      name: 'sign-up-wrong',
      url: at('account'),
      then: async (table) => {
        await table.page.locator('input[type=radio]').nth(1).check()
        await table.page.locator('input[type=password]').fill('short')
        await submit(table)
        await alert(table)
      },
    },
    {
      name: 'recover',
      url: at('account'),
      then: async ({ page }) => page.locator('form .bare').click(),
    },
    { name: 'account', url: at('account'), as, then: heading },
    {
      name: 'account-open',
      url: at('account'),
      as,
      whole: true,
      then: async (table) => {
        await kept(table.page)
        await table.page.reload()
        await opened(table)
      },
    },
    {
      name: 'account-wrong',
      url: at('account'),
      as,
      whole: true,
      then: async (table) => {
        await kept(table.page)
        await answer(table.page, 'account/password', { why: 'wrong_password' }, 403)
        await answer(table.page, 'account/recovery', { why: 'wrong_password' }, 403)
        await table.page.reload()
        await opened(table)
        const types = table.page.locator('input[type=password]')
        for (const nth of [0, 1, 3]) await types.nth(nth).fill('four discs in the corner')
        await table.page.locator('details').first().locator('[type=submit]').click()
        await table.page.locator('details').nth(3).locator('[type=submit]').click()
        await table.page.locator('details').last().locator('[type=submit]').click()
        await expect(table.page.getByRole('alert')).toHaveCount(3)
      },
    },
    {
      name: 'account-codes',
      url: at('account'),
      as,
      then: async (table) => {
        await answer(table.page, 'account/recovery', { recovery: Array.from({ length: 8 }, (_, nth) => `94zz-3fr${nth}-61n4-s0dj`) })
        await opened(table)
        await table.page.locator('details').nth(3).locator('input[type=password]').fill('x')
        await table.page.locator('details').nth(3).locator('[type=submit]').click()
        await expect(table.page.getByTestId('codes')).toBeVisible()
      },
    },
    // People.
    { name: 'person', url: at(`people/${LONG}`), as, whole: true, then: offers },
    { name: 'person-own', url: at('people/Ana'), as, whole: true, then: offers },
    { name: 'person-new', url: `${quiet.address}/#/people/Ana`, then: heading },
    { name: 'person-none', url: at('people/nobody'), then: alert },
    {
      name: 'person-blocked',
      url: at('people/Luis'),
      as: eva.storageState,
      then: async ({ page }) => {
        const note = page.locator('p.small.quiet').first()
        await expect(page.locator('main .row .button').first()).toBeVisible()
        if (!(await note.isVisible())) await page.locator('main .row .button').last().click()
        await expect(note).toBeVisible()
      },
    },
    {
      name: 'leaders',
      url: at('leaders/rapid-standard'),
      as,
      then: async ({ page }) => {
        // A firm rating takes more games than one may begin at a time.
        const leaders = ['Patient_Bot', LONG, 'Ana', 'Luis'].map((handle, nth) => ({ handle, bot: nth === 0, rating: 2412 - 207 * nth, games: 1284 >> nth }))
        await page.routeWebSocket(/\/api\/socket/, (near) => {
          near.connectToServer().onMessage((text) => {
            const message = JSON.parse(String(text)) as { type: string }
            near.send(JSON.stringify(message.type === 'leaders' ? { ...message, leaders } : message))
          })
        })
        await page.reload()
        await expect(page.locator('td').first()).toBeVisible()
      },
    },
    { name: 'leaders-none', url: at('leaders/blitz-balanced'), as, then: async ({ page }) => expect(page.locator('main p').first()).toBeVisible() },
    { name: 'games', url: at('games'), as, whole: true, then: offers },
    // Running the server.
    { name: 'admin', url: owner, whole: true, then: household },
    { name: 'admin-quiet', url: owner, whole: true, then: heading },
    {
      name: 'admin-suspend',
      url: owner,
      then: async (table) => {
        await household(table)
        await table.page.locator('section[aria-labelledby=accounts] li').nth(1).locator('.button').first().click()
      },
    },
    {
      name: 'admin-reset',
      url: owner,
      then: async (table) => {
        await household(table)
        await answer(table.page, `admin/people/${LONG}/reset`, { code: '94zz-3fr4-61n4-s0dj' })
        await table.page.locator('section[aria-labelledby=accounts] li').nth(1).locator('.button').last().click()
        await table.page.locator('dialog .danger').click()
        await expect(table.page.getByTestId('codes')).toBeVisible()
      },
    },
    { name: 'admin-not-yours', url: at('admin'), as, then: heading },
    {
      name: 'announcement',
      url: async () => {
        await fetch(`${home.url}/api/admin/settings`, { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: home.url }, body: JSON.stringify({ announcement: 'The server restarts at ten tonight; games are kept, and clocks stand still meanwhile.' }) })
        return `${home.url}/#/`
      },
      then: alert,
    },
    {
      name: 'sign-in-closed',
      url: async () => {
        await fetch(`${home.url}/api/admin/settings`, { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: home.url }, body: JSON.stringify({ registration: false }) })
        return `${home.url}/#/account`
      },
      then: heading,
    },
    // A private link.
    { name: 'waiting', url: at(`game/${waiting}`), as, then: async ({ page }) => expect(page.locator('.link')).toBeVisible() },
    { name: 'joining', url: at(`join/${waiting}/${invites.white}`), then: heading },
    { name: 'joining-named', url: at(`join/${waiting}/${invites.white}`), as: eva.storageState, then: heading },
    { name: 'joining-turned-away', url: at(`join/${byDays}/${invites.white}`), then: playing },
    { name: 'game-gone', url: at('game/nothere99999'), then: async ({ page }) => expect(page.locator('main')).toBeVisible() },
    // At the table.
    { name: 'game-days', url: at(`game/${byDays}`), as, then: playing },
    { name: 'game-watched', url: at(`game/${paused}`), then: playing },
    {
      name: 'game-left',
      url: at(`game/${left}`),
      as,
      then: async (table) => {
        await playing(table)
        await eva.stay(left)
        await expect(table.bar('white')).not.toContainText(/away|ausente/)
        eva.leave()
        await expect(table.page.getByTestId('claim')).toBeVisible({ timeout: 30_000 })
      },
    },
    {
      name: 'game-claim',
      url: at(`game/${left}`),
      as,
      then: async ({ page }) => expect(page.getByTestId('claim').locator('.main')).toBeVisible({ timeout: 60_000 }),
    },
    { name: 'game-paused', url: at(`game/${paused}`), as, then: playing },
    { name: 'game-pause-asked', url: at(`game/${asked}`), as, then: async ({ page }) => expect(page.getByTestId('offer')).toBeVisible() },
    { name: 'game-takeback', url: at(`game/${takeback}`), as, then: async ({ page }) => expect(page.getByTestId('offer')).toBeVisible() },
    {
      name: 'game-talk',
      url: at(`game/${asked}`),
      as: luis.storageState,
      then: async (table) => {
        await playing(table)
        await table.page.getByRole('button', { name: /^(Say|Decir)$/ }).click()
        await expect(table.page.locator('dialog')).toBeVisible()
      },
    },
    { name: 'game-rematch', url: at(`game/${over}`), as, then: async (table) => expect(table.result).toBeVisible() },
    { name: 'game-rated-end', url: at(`game/${rated}`), as, then: async ({ page }) => expect(page.getByTestId('rated')).toBeVisible() },
    {
      name: 'game-first-move',
      url: async () => at(`game/${await seated(ana, luis, rules(time(300_000), { rated: true, prompt_start: true }))}`),
      as,
      then: async ({ page }) => expect(page.getByTestId('first-move')).toBeVisible(),
    },
  ]
})

test.afterAll(async () => {
  for (const one of members) one.leave()
  await Promise.all([club.stop(), quiet.stop(), home.stop()])
})

readers('people', async (browser, language, theme, device) => take(browser, 'people', scenes, language, theme, device))
