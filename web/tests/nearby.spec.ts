// Two people on two devices, from a plain start: the door, the invitation, and what takes both players.
import { violations } from './axe.ts'
import { elsewhere } from './elsewhere.ts'
import { device, invitation, join, playBoth, wait } from './nearby.ts'
import { Server } from './server.ts'
import { expect, GAMES, Table, test } from './table.ts'

test.setTimeout(90_000)

const offer = (table: Table) => table.page.getByTestId('offer')
const watching = (table: Table) => table.page.getByTestId('watching')
const button = (table: Table, name: string) => table.page.getByRole('button', { name, exact: true })
const hash = (table: Table) => new URL(table.page.url()).hash

test('from a plain start: the page opens the door, the other comes by the code, plays to the end, asks for a rematch and is asked', async ({ table, browser }) => {
  const server = new Server()
  await server.start()
  const guest = await device(browser)
  try {
    await wait(table.page, server.url)
    // Nothing that the other device could not open.
    await expect(table.page.getByRole('heading', { name: 'Let the other device in' })).toBeVisible()
    await expect(table.page.getByText('Everyone on your network can then open this page')).toBeVisible()
    await expect(table.page.getByRole('img', { name: /QR/ })).toHaveCount(0)
    await expect(table.page.locator('.link')).toHaveCount(0)
    const link = await invitation(table.page)
    expect(new URL(link).origin).not.toBe(server.url)
    await expect(table.page.getByRole('heading', { name: 'Waiting for the other player' })).toBeVisible()

    await guest.page.goto(link)
    await expect(guest.page.getByRole('heading', { name: 'Ana invites you to a game' })).toBeVisible()
    await expect(guest.page.getByText('You play White; Black begins.')).toBeVisible()
    await expect(guest.page.getByText('No clock')).toBeVisible()
    await guest.page.getByLabel('Your name').fill('Luis')
    await guest.page.getByRole('button', { name: 'Join the game' }).click()
    await expect(table.bar('white')).toContainText('Luis')
    await playBoth(table, guest, GAMES.wipeOut)
    for (const seen of [table, guest]) await expect(seen.result).toBeVisible()

    // The guest asks, and the answer is no.
    await button(guest, 'Rematch').click()
    await expect(offer(guest)).toContainText('You asked Ana for a rematch.')
    await expect(offer(table)).toContainText('Luis asks for a rematch.')
    await expect(table.page.getByTestId('assertive')).toContainText('Luis asks for a rematch.')
    await expect(table.result).toBeVisible()
    await button(table, 'Decline').click()
    await expect(guest.page.getByTestId('remark')).toHaveText('Ana says no.')
    // The guest is asked, and agrees: both are taken to a game with colours swapped.
    const before = hash(table)
    await button(table, 'Rematch').click()
    await button(guest, 'Accept').click()
    await expect(table.bar('black')).toContainText('Luis')
    await expect(guest.bar('white')).toContainText('Ana')
    expect(hash(table)).not.toBe(before)
    expect(hash(guest)).toBe(hash(table))
    // Nobody had left, so nobody is back: the line says whose turn it is.
    await expect(guest.status).toHaveText('Your turn. You play Black.')
    await expect(table.status).toHaveText('Black to move.')
    await guest.play('f5')
    await expect(table.status).toHaveText('Your turn. You play White.')
  } finally {
    await guest.page.context().close()
    await server.stop()
  }
})

test('mid-game: ask, decline, withdraw, lapse, accept', async ({ table, server, browser }) => {
  const guest = await device(browser)
  try {
    await wait(table.page, server.url)
    await join(guest, await invitation(table.page))
    await playBoth(table, guest, 'f5d6')

    // Asking needs the same confirmation as before, and changes nothing on the other's board.
    await button(guest, 'New game').click()
    await expect(guest.page.getByRole('dialog')).toContainText('Ana is asked first.')
    await button(guest, 'Keep playing').click()
    await expect(offer(table)).toHaveCount(0)
    await button(guest, 'New game').click()
    await button(guest, 'Ask for a new game').click()
    await expect(offer(table)).toContainText('Luis asks to scrap this game for a new one.')
    await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')
    await button(table, 'Decline').click()
    await expect(guest.status).toContainText('Ana says no.')

    await button(guest, 'New game').click()
    await button(guest, 'Ask to scrap it').click()
    await expect(offer(table)).toContainText('Luis asks to scrap this game, without a result.')
    await button(guest, 'Withdraw').click()
    await expect(offer(table)).toHaveCount(0)
    await expect(table.status).toContainText('Luis has taken the question back.')

    // The next move ends it.
    await button(guest, 'New game').click()
    await button(guest, 'Ask to scrap it').click()
    await expect(offer(table)).toBeVisible()
    await table.play('c3')
    for (const seen of [table, guest]) await expect(offer(seen)).toHaveCount(0)

    // The key asks as the button does.
    await table.page.keyboard.press('u')
    await expect(offer(guest)).toContainText('Ana asks to take a move back.')
    await button(guest, 'Accept').click()
    await expect(table.square('c3')).toHaveAttribute('data-disc', '')
    await expect(table.status).toContainText('Taken back.')

    await table.page.keyboard.press('n')
    await button(table, 'Ask to scrap it').click()
    await button(guest, 'Accept').click()
    for (const seen of [table, guest]) await expect(seen.result).toContainText('Scrapped.')
    expect(hash(guest)).toBe(hash(table))
  } finally {
    await guest.page.context().close()
  }
})

test('until the second move either player leaves without asking', async ({ table, server, browser }) => {
  const guest = await device(browser)
  try {
    await wait(table.page, server.url)
    await join(guest, await invitation(table.page))
    await table.play('f5')
    await expect(guest.square('f5')).toHaveAttribute('data-disc', 'black')
    await button(guest, 'New game').click()
    await button(guest, 'Leave the game').click()
    await expect(table.result).toContainText('Scrapped.')
    await expect(guest.page.locator('[aria-controls=way-nearby]')).toBeVisible()
  } finally {
    await guest.page.context().close()
  }
})

test('a late invitation and a wrong one: told why, watching, saving, and on to the next game', async ({ table, server, browser }) => {
  const [guest, late] = [await device(browser), await device(browser)]
  try {
    await wait(table.page, server.url)
    const link = await invitation(table.page)
    await late.page.goto(link.replace(/.{4}$/, 'zzzz'))
    await button(late, 'Join the game').click()
    await expect(watching(late)).toContainText('You are watching. This invitation is not good, or no longer. Ask for a new one.')

    await join(guest, link)
    await late.page.goto('about:blank')
    await late.page.goto(link)
    await expect(watching(late)).toContainText('You are watching. The seat is taken.')
    await playBoth(table, guest, GAMES.wipeOut.slice(0, 6))
    await expect(watching(late)).toBeVisible()
    await expect(late.square('c5')).toHaveAttribute('data-disc', 'black')
    await button(late, 'Save').click()
    await expect(late.page.getByRole('dialog')).toContainText('f5d6c5')
    await button(late, 'Close').click()
    await expect(button(late, 'New game')).toHaveCount(0)
    // The label stays while an earlier position is looked at.
    await button(late, 'One move back').click()
    await expect(watching(late)).toBeVisible()
    await button(late, 'Back to the game').click()
    await expect(button(late, 'Save')).toBeVisible()

    await button(guest, 'Resign').click()
    await button(guest, 'White resigns').click()
    await button(guest, 'Rematch').click()
    await button(table, 'Accept').click()
    await expect(table.moves.locator('li')).toHaveCount(0)
    // Whoever watches stays with the result until they go on.
    await expect(late.result).toBeVisible()
    await late.page.getByRole('link', { name: 'Next game' }).click()
    await expect(late.moves.locator('li')).toHaveCount(0)
    expect(hash(late)).toBe(hash(table))
    await expect(watching(late)).toHaveText('You are watching.')
    // A player who comes back to the old game finds the way as well.
    await guest.page.goBack()
    await expect(guest.page.getByRole('link', { name: 'Next game' })).toBeVisible()
  } finally {
    await guest.page.context().close()
    await late.page.context().close()
  }
})

test('stop waiting: no game is scrapped that never was, and the invitation says so', async ({ table, server, browser }) => {
  const guest = await device(browser)
  try {
    await wait(table.page, server.url)
    const link = await invitation(table.page)
    await button(table, 'Stop waiting').click()
    await expect(table.page.getByRole('dialog')).toContainText('The link stops working, and nobody can join this game any more.')
    await button(table, 'Keep waiting').click()
    await button(table, 'Stop waiting').click()
    await table.page.getByRole('dialog').getByRole('button', { name: 'Stop waiting' }).click()
    await expect(table.page.locator('[aria-controls=way-nearby]')).toBeVisible()
    await guest.page.goto(link)
    await expect(watching(guest)).toContainText('This invitation is not good, or no longer.')
  } finally {
    await guest.page.context().close()
  }
})

test('the door closes and opens again: the guest is told, and comes back by themselves', async ({ table, browser }) => {
  const server = new Server()
  await server.start('--network', '127.0.0.2')
  const guest = await device(browser)
  try {
    await wait(table.page, server.url)
    // Two addresses: the second has the port that people know, so that it is the same when the door opens again.
    const first = await invitation(table.page)
    await button(table, 'Does not open? Try another address').click()
    await expect(table.page.locator('.link')).not.toHaveText(first)
    const link = await invitation(table.page)
    expect(new URL(link).host).toBe(`127.0.0.2:${new URL(server.url).port}`)
    await join(guest, link)
    await table.play('f5')
    await table.page.getByRole('button', { name: 'Settings' }).click()
    await button(table, 'Keep other devices out').click()
    await expect(guest.page.getByRole('alert')).toContainText('The other computer has closed its door to the network. Your game is saved')
    await expect(table.page.getByRole('dialog')).toContainText('Everyone on your network can then open this page')
    await button(table, 'Open to my network').click()
    await expect(table.page.getByRole('dialog')).toContainText(new URL(link).host)
    await button(table, 'Close').click()
    await expect(guest.page.getByRole('alert')).toHaveCount(0, { timeout: 20_000 })
    await guest.play('d6')
    await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')
  } finally {
    await guest.page.context().close()
    await server.stop()
  }
})

test('no code that nobody can open: for one who may not open the door', async ({ table, browser }) => {
  const server = new Server()
  await server.start()
  const away = await elsewhere(server.url)
  const stranger = await device(browser)
  try {
    await wait(stranger.page, away.url, 'Eva')
    await expect(stranger.page.getByText('Whoever is at the computer that runs Outflank can let them in.')).toBeVisible()
    await expect(stranger.page.getByRole('img', { name: /QR/ })).toHaveCount(0)
    await expect(button(stranger, 'Open to my network')).toHaveCount(0)
    await stranger.page.getByRole('button', { name: 'Settings' }).click()
    await expect(stranger.page.getByText('Other devices')).toHaveCount(0)
    // The owner opens it, and the stranger has a link that works.
    await wait(table.page, server.url)
    await invitation(table.page)
    await button(stranger, 'Close').click()
    await expect(stranger.page.getByRole('img', { name: /QR/ })).toBeVisible()
  } finally {
    await stranger.page.context().close()
    away.close()
    await server.stop()
  }
})

test('copying the link where the browser has no clipboard for the page', async ({ table, server, context }) => {
  await context.grantPermissions(['clipboard-read'])
  await table.page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined, configurable: true }))
  await wait(table.page, server.url)
  const link = await invitation(table.page)
  await button(table, 'Copy the link').click()
  await expect(table.page.getByTestId('copied')).toHaveText('Copied.')
  const other = await context.newPage()
  await other.goto(server.url)
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await other.close()
  // Where even the old way is not allowed, the link is selected and the page says what to do.
  await table.page.evaluate(() => (document.execCommand = () => false))
  await button(table, 'Copy the link').click()
  await expect(table.page.getByTestId('copied')).toHaveText('The text is selected: copy it with Ctrl+C, or by holding a finger on it.')
  expect(await table.page.evaluate(() => String(getSelection()))).toBe(link)
})

for (const locale of ['en-GB', 'es-ES']) {
  test(`nothing is too small, hidden or unreadable on a small phone with the longest names (${locale})`, async ({ browser }) => {
    const server = new Server()
    await server.start()
    const phone = { locale, viewport: { width: 360, height: 640 } }
    const [host, guest, late] = [await device(browser, phone), await device(browser, phone), await device(browser, phone)]
    const clean = async (table: Table, where: string) => {
      expect(await violations(table.page), where).toEqual([])
      expect(await table.page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(360)
    }
    try {
      await host.page.goto(server.url)
      await host.page.locator('[aria-controls=way-nearby]').click()
      await host.page.locator('#me-nearby').fill('Maximiliana Wollstonecra')
      await host.page.locator('#way-nearby button[type=submit]').click()
      await expect(host.page.locator('.waiting .button.main')).toBeVisible()
      await clean(host, 'the closed door')
      await host.page.locator('.waiting .button.main').click()
      await expect(host.page.locator('.link')).toBeVisible()
      await clean(host, 'the code')
      const link = (await host.page.locator('.link').innerText()).trim()
      await guest.page.goto(link)
      await expect(guest.page.locator('#sit-name')).toBeVisible()
      await clean(guest, 'the invitation')
      await guest.page.locator('#sit-name').fill('Bartholomäus Hohenlohe-O')
      await guest.page.locator('form .button').click()
      await expect(guest.square('d4')).toHaveAttribute('data-disc', 'white')
      await late.page.goto(link)
      await expect(watching(late)).toBeVisible()
      await clean(late, 'watching')
      await playBoth(host, guest, 'f5d6')
      const lies = await host.page.locator('.board').boundingBox()
      await guest.page.locator('.controls .button').last().click()
      await clean(guest, 'the question')
      await guest.page.locator('dialog .button.main').click()
      await expect(offer(host)).toBeVisible()
      for (const asked of [host, guest]) {
        await clean(asked, 'an offer')
        for (const answer of await offer(asked).getByRole('button').all()) {
          const box = await answer.boundingBox()
          expect(box?.height).toBeGreaterThanOrEqual(44)
          expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
          await answer.click({ trial: true }) // nothing lies over it
        }
      }
      expect(await host.page.locator('.board').boundingBox(), 'the board stays where it is').toEqual(lies)
    } finally {
      for (const table of [host, guest, late]) await table.page.context().close()
      await server.stop()
    }
  })
}

test('the waiting room shows the code, the link and what can be done with it at once, in every window', async ({ table, server }) => {
  const { page } = table
  for (const language of ['en', 'es']) {
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language })), language)
    await page.goto(server.url)
    await page.locator('[aria-controls=way-nearby]').click()
    await page.locator('#way-nearby button[type=submit]').click()
    const code = page.getByRole('img', { name: /QR/ })
    const open = page.locator('.waiting .button')
    await expect(open.first()).toBeVisible()
    if (!(await code.isVisible())) await open.click()
    await expect(code).toBeVisible()
    for (const [width, height] of [
      [360, 640],
      [360, 740],
      [390, 844],
      [640, 360],
      [640, 400],
      [900, 860],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      const place = `${language}, ${width}×${height}`
      for (const seen of [code, page.locator('.link'), ...(await open.all()), ...(await page.locator('.controls .button').all())]) {
        await expect(seen, place).toBeInViewport({ ratio: 1 })
      }
      expect((await code.boundingBox())!.width, place).toBeGreaterThanOrEqual(180)
      // Nothing lies over what is below.
      const [inner, outer] = [await page.locator('.waiting').evaluate((room) => room.scrollHeight), await page.locator('.waiting').evaluate((room) => room.clientHeight)]
      expect(inner, place).toBeLessThanOrEqual(outer)
    }
  }
})
