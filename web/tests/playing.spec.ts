// Two people on two devices, and a third who watches: leaving, talking, pausing, moves chosen in advance, a server that dies.
import { violations } from './axe.ts'
import { cable } from './cable.ts'
import { device, invitation, join, wait } from './nearby.ts'
import { Server } from './server.ts'
import { expect, test, type Page, type Table } from './table.ts'

test.setTimeout(120_000)
/** A busy machine gets more than a person would wait. */
const SOON = { timeout: 40_000 }

/** A clock of one's own, in the form for someone nearby. */
function clock(kind: string, field: string, value: number): (page: Page) => Promise<void> {
  return async (page) => {
    const form = page.locator('#way-nearby')
    await form.getByRole('radio', { name: 'Custom' }).check()
    await form.getByRole('radio', { name: kind }).check()
    await form.getByLabel(field).last().fill(String(value))
  }
}
const blitz = clock('Fixed', 'Minutes for each player', 3)
const days = clock('Days for each move', 'Days for each move', 2)

function button(table: Table, name: string) {
  return table.page.getByRole('button', { name, exact: true })
}

test('a move chosen in advance waits, is shown, can be taken back and is played at once', async ({ table, server, browser }) => {
  await wait(table.page, server.url)
  const guest = await device(browser, { viewport: { width: 360, height: 640 }, hasTouch: true })
  try {
    await join(guest, await invitation(table.page))
    // By touch; the same square again takes it back.
    await guest.square('d6').tap()
    await expect(guest.square('d6')).toHaveAttribute('data-planned', '')
    await expect(guest.status).toContainText('Your move d6 waits.')
    await expect(guest.square('d6')).toHaveAccessibleName(/your next move/)
    expect(await violations(guest.page)).toEqual([])
    await guest.square('d6').tap()
    await expect(guest.square('d6')).not.toHaveAttribute('data-planned', '')
    // By keyboard; Escape takes it back.
    await guest.page.keyboard.type('d6')
    await guest.page.keyboard.press('Enter')
    await expect(guest.square('d6')).toHaveAttribute('data-planned', '')
    await guest.page.keyboard.press('Escape')
    await expect(guest.page.locator('[data-planned]')).toHaveCount(0)
    // Another square takes the place of the first, and is played as soon as it is the turn.
    await guest.square('f6').tap()
    await guest.square('d6').tap()
    await expect(guest.page.locator('[data-planned]')).toHaveCount(1)
    await expect(table.square('d6')).toHaveAttribute('data-disc', '')
    await table.play('f5')
    await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')
    await expect(guest.page.locator('[data-planned]')).toHaveCount(0)
    // One that cannot be played any more is not, and the reader is told.
    await guest.square('a1').tap()
    await table.play('c3')
    await expect(guest.status).toContainText('a1 cannot be played now. Your turn.')
    await expect(guest.page.locator('[data-planned]')).toHaveCount(0)
    await expect(guest.moves.locator('li')).toHaveCount(3)
    // And the game goes on.
    await guest.play((await guest.legal())[0] ?? '')
    await expect(table.moves.locator('li')).toHaveCount(4)
  } finally {
    await guest.page.context().close()
  }
})

test('what players say is said in each reader’s language, muted at will, and told to watchers at the end', async ({ table, server, browser }) => {
  await wait(table.page, server.url)
  const link = await invitation(table.page)
  const guest = await device(browser, { locale: 'es-ES' })
  const watcher = await device(browser)
  try {
    await guest.page.goto(link)
    await guest.page.getByLabel('Tu nombre').fill('Luis')
    await guest.page.getByRole('button', { name: 'Unirse a la partida' }).click()
    await expect(guest.square('d4')).toHaveAttribute('data-disc', 'white')
    await watcher.page.goto(link.replace(/join\/([^/]+)\/.*/, 'game/$1'))
    await expect(watcher.square('d4')).toHaveAttribute('data-disc', 'white')
    await expect(table.page.getByTestId('watchers')).toHaveText('1')
    await expect(table.page.getByTestId('watchers')).toHaveAccessibleName('1 person watches')

    await button(table, 'Say').click()
    const dialog = table.page.getByRole('dialog')
    await expect(dialog.getByTestId('watch-link')).toHaveText(/#\/game\/[a-z0-9]+$/)
    expect(await violations(table.page)).toEqual([])
    await dialog.getByRole('button', { name: 'Good luck!' }).click()
    await expect(guest.status).toContainText('Ana: ¡Suerte!')
    await expect(watcher.status).not.toContainText('Good luck!')

    await button(table, 'Say').click()
    await dialog.getByText('Show what the other player says').click()
    await table.page.keyboard.press('Escape')
    await guest.page.getByRole('button', { name: 'Decir' }).click()
    await guest.page.getByRole('dialog').getByRole('button', { name: 'Gracias.' }).click()
    await expect(guest.status).toContainText('Luis: Gracias.')
    await table.play('f5')
    await expect(table.status).not.toContainText('Thank you.')

    await guest.page.getByRole('button', { name: 'Abandonar' }).click()
    await guest.page.getByRole('button', { name: 'Abandona Blanco' }).click()
    await expect(watcher.result).toContainText('Ana wins')
    await watcher.page.getByRole('button', { name: 'What was said' }).click()
    await expect(watcher.page.getByTestId('said').locator('li')).toHaveText(['Ana: Good luck!', 'Luis: Thank you.'])
    expect(await violations(watcher.page)).toEqual([])
  } finally {
    await guest.page.context().close()
    await watcher.page.context().close()
  }
})

test('a pause stops both clocks until both want to go on', async ({ table, server, browser }) => {
  await wait(table.page, server.url, 'Ana', blitz)
  const guest = await device(browser)
  try {
    await join(guest, await invitation(table.page))
    await table.play('f5')
    await button(guest, 'Say').click()
    await guest.page.getByRole('dialog').getByRole('button', { name: 'Ask for a pause' }).click()
    await expect(table.page.getByTestId('offer')).toContainText('Luis asks for a pause.')
    await button(table, 'Accept').click()
    for (const seen of [table, guest]) await expect(seen.page.getByTestId('paused')).toHaveText('The game is paused. No clock runs.')
    await guest.square('d6').click()
    await expect(guest.square('d6')).toHaveAttribute('data-disc', '')
    expect(await violations(guest.page)).toEqual([])
    await button(guest, 'Go on').click()
    await expect(table.page.getByTestId('offer')).toContainText('Luis wants to go on.')
    await button(table, 'Accept').click()
    await guest.play('d6')
    await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')
  } finally {
    await guest.page.context().close()
  }
})

test('who leaves a live game leaves it to the other', async ({ table, server, browser }) => {
  await wait(table.page, server.url, 'Ana', blitz)
  const guest = await device(browser)
  const claim = table.page.getByTestId('claim')
  try {
    await join(guest, await invitation(table.page))
    await table.play('f5')
    await expect(guest.square('f5')).toHaveAttribute('data-disc', 'black')
    await guest.page.goto('about:blank')
    await expect(claim).toContainText('Luis has left. You can claim the game in', SOON)
    await expect(button(table, 'Claim the win')).toBeVisible(SOON)
    expect(await violations(table.page)).toEqual([])
    await button(table, 'Call it a draw').click()
    await expect(table.result).toContainText('White left the game.')
    await expect(table.result).toContainText('32–32')
  } finally {
    await guest.page.context().close()
  }
})

test('a game by correspondence: the list says until when, and nobody can claim it', async ({ table, server, browser }) => {
  await wait(table.page, server.url, 'Ana', days)
  const guest = await device(browser)
  try {
    const link = await invitation(table.page)
    await guest.page.goto(link)
    await expect(guest.page.getByText('2 days for each move')).toBeVisible()
    await join(guest, link)
    await table.play('f5')
    await expect(guest.bar('white').getByRole('timer')).toHaveText(/^(1 d 23 h|2 d 0 h)$/)
    await table.page.goto('about:blank')
    await guest.page.goto(new URL('/#/games', guest.page.url()).href)
    await expect(guest.page.getByTestId('until')).toContainText('move by')
    await expect(guest.page.locator('a.game').first()).toContainText('Your turn')
    await guest.page.locator('a.game').first().click()
    await expect(guest.bar('black')).toContainText('away', SOON)
    await guest.play('d6')
    await expect(guest.page.getByTestId('claim')).toHaveCount(0)
  } finally {
    await guest.page.context().close()
  }
})

/** Begins a game with an open seat as this browser's person, through the page's own line: what the form does not offer can be asked for. */
async function beginByLink(page: Page, url: string, rules: object): Promise<{ game: string; invite: string }> {
  await page.goto(url)
  return page.evaluate(async (rules) => {
    const socket = new WebSocket(`ws://${location.host}/api/socket`)
    const answers = new Map<string, (message: Record<string, unknown>) => void>()
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as Record<string, unknown>
      answers.get(String(message['id']))?.(message)
    }
    await new Promise((resolve) => (socket.onopen = resolve))
    const ask = (what: object) =>
      new Promise<Record<string, unknown>>((resolve) => {
        const id = crypto.randomUUID()
        answers.set(id, resolve)
        socket.send(JSON.stringify({ id, ...what }))
      })
    const seats = { black: { kind: 'person', name: 'Ana' }, white: { kind: 'open' } }
    const { game } = (await ask({ type: 'create', seats, toss: false, rules })) as { game: string }
    const opened = (await ask({ type: 'open', game })) as { invites: { white: string } }
    socket.close()
    return { game, invite: opened.invites.white }
  }, rules)
}

function agreed(time: object, more: object = {}): object {
  return { time, overrun: 'loses', empties: 'to_winner', takebacks: false, opening: 'standard', ...more }
}
const LIVE = { kind: 'sudden_death', main_ms: 300_000 }
const DAYS = { kind: 'per_move', per_move_ms: 172_800_000 }

test('a game between strangers: the first move is waited for, and before the second one may leave', async ({ table, browser }) => {
  const own = new Server()
  await own.start('--host', 'club.test')
  const guest = await device(browser, { viewport: { width: 360, height: 640 } })
  try {
    const { game, invite } = await beginByLink(table.page, own.url, agreed(LIVE, { prompt_start: true }))
    await join(guest, `${own.url}/#/join/${game}/${invite}`)
    await table.page.goto(`${own.url}/#/game/${game}`)
    await expect(table.page.getByTestId('first-move')).toContainText('Make your first move within')
    await expect(guest.page.getByTestId('first-move')).toContainText('Ana has')
    expect(await violations(guest.page)).toEqual([])
    await table.play('f5')
    await guest.play('d6')
    await expect(table.page.getByTestId('first-move')).toHaveCount(0)
    await table.play('c3')
    await expect(button(table, 'Abort')).toHaveCount(0)
    await button(guest, 'Abort').click()
    for (const seen of [table, guest]) await expect(seen.result).toContainText('No result.')
    await expect(table.result).toContainText('White did not play it.')
    await expect(guest.result).toContainText('You did not play it.')
  } finally {
    await guest.page.context().close()
    await own.stop()
  }
})

for (const [kind, time] of [
  ['live', LIVE],
  ['by correspondence', DAYS],
] as const) {
  test(`a game ${kind} goes on without a reload when a line breaks and the server is killed, and a third sees it all`, async ({ table, browser }) => {
    const own = new Server()
    await own.start('--host', 'club.test')
    const line = await cable(own.url)
    const guest = await device(browser, { viewport: { width: 360, height: 640 } })
    const watcher = await device(browser)
    const all = [table, guest, watcher]
    try {
      const { game, invite } = await beginByLink(table.page, own.url, agreed(time, { prompt_start: true }))
      await join(guest, `${line.url}/#/join/${game}/${invite}`)
      await table.page.goto(`${own.url}/#/game/${game}`)
      // The link to play is used up: it brings nobody else to the seat.
      await watcher.page.goto(`${own.url}/#/join/${game}/${invite}`)
      await expect(watcher.page.getByTestId('watching')).toContainText('The seat is taken.')
      for (const seen of all) await seen.page.evaluate(() => void ((globalThis as { stays?: boolean }).stays = true))
      await table.play('f5')
      await expect(guest.square('d6')).toHaveAttribute('data-legal', '')
      line.cut()
      await guest.square('d6').click()
      await expect(guest.page.getByRole('alert')).toBeVisible(SOON)
      line.mend()
      for (const seen of all) await expect(seen.square('d6')).toHaveAttribute('data-disc', 'white', SOON)

      await own.kill()
      await table.square('c3').click()
      for (const seen of all) await expect(seen.page.getByRole('alert')).toBeVisible(SOON)
      await own.start('--host', 'club.test')
      for (const seen of all) {
        await expect(seen.square('c3')).toHaveAttribute('data-disc', 'black', SOON)
        await expect(seen.page.getByRole('alert')).toHaveCount(0, SOON)
        await expect(seen.moves.locator('li')).toHaveCount(3)
        expect(await seen.page.evaluate(() => (globalThis as { stays?: boolean }).stays), 'no reload').toBe(true)
      }
      await guest.play((await guest.legal())[0] ?? '')
      for (const seen of all) await expect(seen.moves.locator('li')).toHaveCount(4)
      expect(await watcher.board()).toBe(await table.board())
    } finally {
      await guest.page.context().close()
      await watcher.page.context().close()
      line.close()
      await own.stop()
    }
  })
}
