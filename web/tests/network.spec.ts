// A phone that walks out of the network and back: both sides notice, and no move is lost or played twice.
import { cable } from './cable.ts'
import { device, invitation, join, wait } from './nearby.ts'
import { expect, GAMES, squares, test } from './table.ts'

test.setTimeout(120_000)
// Both sides notice within ten seconds; a busy machine gets more.
const NOTICE = { timeout: 40_000 }

test('a network that is lost without a word: both players are told, and the game goes on where it was', async ({ table, server, browser }) => {
  await wait(table.page, server.url)
  const link = await invitation(table.page)
  const { origin } = new URL(link)
  const line = await cable(origin)
  const guest = await device(browser, { viewport: { width: 360, height: 640 } })
  try {
    await join(guest, link.replace(origin, line.url), '')
    await table.play('f5')
    await expect(guest.square('d6')).toHaveAttribute('data-legal', '')
    await expect(table.bar('white')).toContainText('Player 2')

    line.cut()
    // The guest moves before knowing: the disc is shown, but not as one that is kept.
    await guest.square('d6').click()
    await expect(guest.page.locator('.board .sent')).toBeVisible()
    await expect(guest.square('d6')).toHaveAttribute('data-disc', '')
    await expect(guest.page.getByRole('alert')).toContainText('Connection lost. Your game is saved; reconnecting…', NOTICE)
    await expect(table.bar('white')).toContainText('away', NOTICE)
    await expect(table.status).toContainText('Player 2 has left for now. The game is saved.')
    await expect(table.square('d6')).toHaveAttribute('data-disc', '')

    line.mend()
    await expect(guest.square('d6')).toHaveAttribute('data-disc', 'white', NOTICE)
    await expect(guest.page.getByRole('alert')).toHaveCount(0, NOTICE)
    await expect(table.square('d6')).toHaveAttribute('data-disc', 'white', NOTICE)
    await expect(table.bar('white')).not.toContainText('away', NOTICE)
    for (const seen of [table, guest]) await expect(seen.moves.locator('li')).toHaveCount(2)
    await table.play('c5')
    await guest.play('f4')
    for (const seen of [table, guest]) await expect(seen.moves.locator('li')).toHaveCount(4)
    expect(await guest.board()).toBe(await table.board())
  } finally {
    await guest.page.context().close()
    line.close()
  }
})

test('a line that breaks again and again: every move arrives once', async ({ table, server }) => {
  const line = await cable(server.url)
  try {
    await table.begin(line.url)
    const moves = squares(GAMES.pass).slice(0, 5)
    for (const [index, square] of moves.entries()) {
      await expect(table.square(square)).toHaveAttribute('data-legal', '')
      line.cut()
      await table.square(square).click()
      // The browser says that the network went and came, as a phone's does.
      await table.page.evaluate(() => dispatchEvent(new Event('offline')))
      if (index % 2 === 0) await expect(table.page.getByRole('alert')).toBeVisible(NOTICE)
      line.mend()
      await table.page.evaluate(() => dispatchEvent(new Event('online')))
      await expect(table.square(square)).not.toHaveAttribute('data-disc', '', NOTICE)
      await expect(table.moves.locator('li')).toHaveCount(index + 1)
    }
  } finally {
    line.close()
  }
})
