// Whole games and everything around them, as people play: mouse, keyboard, thumb, two devices, a pulled plug.
import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import type { GameSummary } from '../src/protocol.ts'
import { violations } from './axe.ts'
import { device, invitation, join, wait } from './nearby.ts'
import { Server } from './server.ts'
import { expect, GAMES, squares, Table, test, type Page } from './table.ts'

test('a whole game with both sides passing, by mouse', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play(GAMES.passes)
  await expect(table.moves.locator('li.pass')).toHaveCount(2)
  await expect(table.moves.locator('li:not(.pass)')).toHaveCount(60)
  await expect(table.result).toContainText('White wins 35–29.')
  await expect(table.bar('white')).toContainText('35')
})

test('a whole game by keyboard alone', async ({ table, server }) => {
  const { page } = table
  await page.goto(server.url)
  await page.locator('[aria-controls=way-two]').focus()
  await page.keyboard.press('Enter')
  await page.locator('#way-two button[type=submit]').focus()
  await page.keyboard.press('Enter')
  await expect(table.square('d4')).toHaveAttribute('data-disc', 'white')

  // Exactly one square is a tab stop.
  await expect(page.locator('[data-square][tabindex="0"]')).toHaveCount(1)
  for (const [i, square] of squares(GAMES.early).entries()) {
    await expect(table.square(square)).toHaveAttribute('data-legal', '')
    if (i % 2 === 0) {
      await page.keyboard.type(square)
      await expect(table.square(square)).toBeFocused()
      await page.keyboard.press('Enter')
    } else {
      await walk(table, square)
      await page.keyboard.press('Space')
    }
    await expect(table.square(square)).not.toHaveAttribute('data-disc', '')
  }
  await expect(table.result).toContainText('White wins 34–30.')

  // The moves are one stop on the way to what comes next, and the arrows go through them.
  await expect(table.moves.locator('[tabindex="0"]')).toHaveCount(1)
  await tabTo(page, table.moves.locator('[data-ply="58"]'))
  await page.keyboard.press('ArrowLeft')
  await expect(table.moves.locator('[data-ply="57"]')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(table.moves.locator('[data-ply="1"]')).toBeFocused()
  await page.keyboard.press('End')
  await expect(table.moves.locator('[data-ply="58"]')).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Rematch' }))
  await page.keyboard.press('Enter')
  await expect(table.result).toHaveCount(0)
  await expect(table.square('d4')).toHaveAttribute('data-disc', 'white')
})

/** By the key alone, in no more steps than a person has patience for. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('ten tabs were not enough')
}

/** With the arrows, from wherever the focus is. */
async function walk(table: Table, to: string): Promise<void> {
  const from = (await table.page.locator('[data-square]:focus').getAttribute('data-square')) ?? 'a1'
  const across = to.charCodeAt(0) - from.charCodeAt(0)
  const down = to.charCodeAt(1) - from.charCodeAt(1)
  for (let i = 0; i < Math.abs(across); i++) await table.page.keyboard.press(across > 0 ? 'ArrowRight' : 'ArrowLeft')
  for (let i = 0; i < Math.abs(down); i++) await table.page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp')
  await expect(table.square(to)).toBeFocused()
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true })
  test('a whole game by thumb, without a scroll bar', async ({ table, server }) => {
    await table.begin(server.url)
    await table.play(GAMES.draw, (square) => square.tap())
    await expect(table.result).toContainText('A draw, 32–32.')
    const fits = await table.page.evaluate(() => [document.documentElement.scrollHeight <= innerHeight, document.documentElement.scrollWidth <= innerWidth])
    expect(fits).toEqual([true, true])
  })
})

test('a screen reader hears squares, moves and turns', async ({ table, server }) => {
  await table.begin(server.url)
  await expect(table.page.getByRole('grid', { name: 'Board' })).toBeVisible()
  await expect(table.square('e6')).toHaveAccessibleName('e6, empty, legal, turns 1 disc')
  await expect(table.square('d4')).toHaveAccessibleName('d4, white')
  await table.play('f5')
  await expect(table.page.getByTestId('polite')).toContainText('Black f5, turns e5. White to move.')
  await expect(table.square('f5')).toHaveAccessibleName('f5, black, last move')
})

test('a double click plays one move and grumbles at nobody', async ({ table, server }) => {
  await table.begin(server.url)
  await table.square('f5').dblclick()
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
  await expect(table.status).toHaveText('White to move.')
  await expect(table.moves.locator('li')).toHaveCount(1)
})

test('discs come to rest, however quickly one steps through the game', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play(GAMES.full.slice(0, 40))
  await page.locator('h1').first().evaluate((element) => (element.ownerDocument.activeElement as HTMLElement).blur())
  for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
  await page.keyboard.press('End')
  await expect(page.locator('.turner')).toHaveCount(0)
  await expect(page.locator('main .face')).toHaveCount(24)
})

test('stepping back with buttons, keys and the slider, and a move arriving meanwhile', async ({ table, server, context }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play('f5d6c5f4')
  await page.getByRole('button', { name: 'One move back' }).click()
  await expect(table.square('f4')).toHaveAttribute('data-disc', '')
  await expect(page.locator('[data-legal]')).toHaveCount(0)
  await table.square('f4').click()
  await expect(table.status).toContainText('You are looking at an earlier position.')
  await page.locator('h1').first().evaluate((element) => (element.ownerDocument.activeElement as HTMLElement).blur())
  await page.keyboard.press('Home')
  await expect(table.square('f5')).toHaveAttribute('data-disc', '')
  await page.keyboard.press('ArrowRight')
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
  await page.getByRole('slider').fill('2')
  await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')

  // The other player moves on the same screen's second window: the reader stays where they look.
  const second = new Table(await context.newPage())
  await second.page.goto(page.url())
  await second.play('e7')
  await expect(table.moves.locator('li')).toHaveCount(5)
  await expect(table.square('e7')).toHaveAttribute('data-disc', '')
  await page.getByRole('button', { name: 'Back to the game' }).click()
  await expect(table.square('e7')).toHaveAttribute('data-disc', 'black')
})

test('a takeback undoes the last move, also over a pass', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play(GAMES.pass)
  await table.page.getByRole('button', { name: 'Take back' }).click()
  await expect(table.square('c1')).toHaveAttribute('data-disc', '')
  await expect(table.notice).toHaveCount(0)
  await expect(table.moves.locator('li')).toHaveCount(7)
  await table.page.keyboard.press('u')
  await expect(table.moves.locator('li')).toHaveCount(6)
})

test('a hint marks a legal square', async ({ table, server }) => {
  await table.begin(server.url)
  await table.page.getByRole('button', { name: 'Hint' }).click()
  await expect(table.page.locator('.hint')).toBeVisible()
  await expect(table.page.locator('[data-legal]:has(.hint)')).toHaveCount(1)
  await expect(table.status).toContainText('is a good move.')
})

test('against the computer: it answers, and a takeback gives both moves back', async ({ table, server }) => {
  const { page } = table
  await page.goto(server.url)
  await page.locator('[aria-controls=way-computer]').click()
  await page.getByRole('slider', { name: 'How strong' }).fill('2')
  await expect(page.getByText('2 · Beginner', { exact: true })).toBeVisible()
  await page.locator('#way-computer button[type=submit]').click()
  await expect(table.bar('white')).toContainText('Computer')
  await table.play('f5')
  await expect(table.moves.locator('li:not(.pass)')).toHaveCount(2)
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect(table.moves.locator('li')).toHaveCount(0)
})

test('playing White, the computer begins', async ({ table, server }) => {
  const { page } = table
  await page.goto(server.url)
  await page.locator('[aria-controls=way-computer]').click()
  await page.getByRole('radio', { name: 'White' }).check()
  await page.locator('#way-computer button[type=submit]').click()
  await expect(table.moves.locator('li')).toHaveCount(1)
  await expect(table.status).toContainText('You play White.')
})

test('reload in mid-game: everything stands', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play('f5d6c5f4e7')
  const before = await table.board()
  await table.page.reload()
  await expect(table.square('e7')).toHaveAttribute('data-disc', 'black')
  expect(await table.board()).toBe(before)
  await table.play('f6')
})

test('the server is killed and started again in mid-game: the page says so, and nothing is lost', async ({ table }) => {
  const own = new Server()
  await own.start()
  try {
    await table.begin(own.url)
    await table.play('f5d6c5f4e7')
    const before = await table.board()
    await own.kill()
    await expect(table.page.getByRole('alert')).toContainText('Connection lost. Your game is saved; reconnecting…')
    // A move made while the server is away is sent when it is back.
    await table.square('f6').click()
    expect(await table.board()).toBe(before)
    await own.start()
    await expect(table.page.getByRole('alert')).toHaveCount(0, { timeout: 15_000 })
    await expect(table.square('f6')).toHaveAttribute('data-disc', 'white')
    await table.play('g5')
    await expect(table.moves.locator('li')).toHaveCount(7)
  } finally {
    await own.stop()
  }
})

test('someone nearby: the link seats a second player, and each moves only their own colour', async ({ table, server, browser }) => {
  const { page } = table
  await wait(page, server.url)
  const link = await invitation(page)
  const guest = await device(browser, { viewport: { width: 360, height: 640 } })
  try {
    await join(guest, link)
    await expect(table.square('d4')).toHaveAttribute('data-disc', 'white')
    await expect(table.bar('white')).toContainText('Luis')
    await guest.square('f5').click()
    await expect(guest.status).toContainText('Not yet: it is Black’s turn.')
    await table.play('f5')
    await expect(guest.square('f5')).toHaveAttribute('data-disc', 'black')
    await expect(guest.status).toContainText('Your turn. You play White.')

    // Between two people a takeback needs a yes, and nobody gets a hint.
    await expect(page.getByRole('button', { name: 'Hint' })).toBeDisabled()
    await page.getByRole('button', { name: 'Take back' }).click()
    await guest.page.getByRole('button', { name: 'Decline' }).click()
    await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
    await page.getByRole('button', { name: 'Take back' }).click()
    await guest.page.getByRole('button', { name: 'Accept' }).click()
    await expect(table.square('f5')).toHaveAttribute('data-disc', '')
    await table.play('d3')

    // Who closes their page is missed, and who opens it again is welcome.
    const seat = guest.page.url()
    await guest.page.goto('about:blank')
    await expect(table.status).toContainText('Luis has left for now. The game is saved.', { timeout: 10_000 })
    await expect(table.bar('white')).toContainText('away')
    await guest.page.goto(seat)
    await expect(table.status).toContainText('Luis is back.')
    await expect(table.bar('white')).not.toContainText('away')

    // Either player may ask to start over, and with a yes both are taken to the new game.
    await guest.page.getByRole('button', { name: 'New game' }).click()
    await guest.page.getByRole('button', { name: 'Ask for a new game' }).click()
    await expect(page.getByTestId('offer')).toContainText('Luis asks to scrap this game for a new one.')
    await expect(table.square('d3')).toHaveAttribute('data-disc', 'black')
    await page.getByRole('button', { name: 'Accept' }).click()
    await expect(table.square('d3')).toHaveAttribute('data-disc', '')
    await expect(guest.square('d3')).toHaveAttribute('data-disc', '')
    expect(new URL(page.url()).hash).toBe(new URL(guest.page.url()).hash)
  } finally {
    await guest.page.context().close()
  }
})

test('a balanced opening: eight moves are given, nobody takes them back, and they are in the files', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url, async (start) => {
    await start.getByLabel('Black').fill('Ana')
    await start.getByRole('radio', { name: 'Balanced' }).check()
  })
  await expect(table.moves.locator('li.given')).toHaveCount(8)
  await expect(table.status).toContainText('8 moves are given. Black to move.')
  await expect(page.getByRole('button', { name: 'Take back' })).toBeDisabled()
  const [square] = await table.legal()
  await table.play(square ?? '')
  await expect(table.moves.locator('li').last()).toContainText('9')
  const transcript = (await table.moves.locator('li button > span:nth-of-type(4)').allInnerTexts()).join('')
  const game = new URL(page.url()).hash.split('/').pop() ?? ''
  const file = async (name: string) => (await fetch(`${server.url}/api/games/${game}/${name}`)).text()
  expect((await file('transcript.txt')).trim()).toBe(transcript)
  expect((await file('game.ggf')).match(/\b[BW]\[/g)).toHaveLength(9)
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect(table.moves.locator('li')).toHaveCount(8)
  await page.getByRole('button', { name: 'One move back' }).click()
  await expect(table.status).toContainText('7')
  // A rematch plays them from the other side.
  await page.getByRole('button', { name: 'Back to the game' }).click()
  await page.getByRole('button', { name: 'Resign' }).click()
  await page.getByRole('button', { name: 'Black resigns' }).click()
  await page.getByRole('button', { name: 'Rematch' }).click()
  await expect(table.bar('white')).toContainText('Ana')
  await expect(table.moves.locator('li.given')).toHaveCount(8)
  expect(transcript).toContain((await table.moves.locator('li button > span:nth-of-type(4)').allInnerTexts()).join(''))
})

test('rematch with colours swapped, and either player can start over', async ({ table, server }) => {
  await table.begin(server.url, async (page) => {
    await page.getByLabel('Black').fill('Ana')
    await page.getByLabel('White').fill('Luis')
  })
  await table.play(GAMES.wipeOut)
  await table.page.getByRole('button', { name: 'Rematch' }).click()
  await expect(table.bar('black')).toContainText('Luis')
  await expect(table.bar('white')).toContainText('Ana')
  await expect(table.moves.locator('li')).toHaveCount(0)
})

test('the transcript, the files and the diagram', async ({ table, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page } = table
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('dialog')).toContainText('Copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(GAMES.wipeOut)
  for (const [name, wanted] of [
    ['GGF', /\(;GM\[Othello\]/],
    ['SGF', /\(;/],
    ['Text', /f5d6c5f4e7f6g5e6e3/i],
    ['Diagram', /<svg/],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name, exact: true }).click()])
    expect(readFileSync(await download.path(), 'utf8')).toMatch(wanted)
  }
})

test('your games: one that the server cannot read is told as such and can be deleted, and the others are there', async ({ table }) => {
  const own = new Server()
  await own.start()
  try {
    const { page } = table
    // The list as a server tells it that cannot read the newest game: of that one there is an id and a time.
    await page.routeWebSocket(/\/api\/socket/, (near) => {
      const far = near.connectToServer()
      far.onMessage((text) => {
        const message = JSON.parse(String(text)) as { type: string; games?: GameSummary[] }
        if (message.type === 'games' && message.games!.length === 3) {
          const { game, begun, changed } = message.games![0]!
          message.games![0] = { game, begun, changed, unreadable: true } as unknown as GameSummary
        }
        near.send(JSON.stringify(message))
      })
    })
    for (const moves of [GAMES.wipeOut, 'f5d6', 'f5d6c5']) {
      await table.begin(own.url)
      await table.play(moves)
    }
    // Not the one to go on with.
    await page.goto(own.url)
    await expect(page.getByRole('link', { name: /^Continue your game/ })).toContainText('Move 3')
    await page.goto(`${own.url}/#/games`)
    await expect(page.locator('li')).toHaveCount(3)
    const broken = page.locator('li', { hasText: 'It may be from a newer Outflank, or damaged.' })
    await expect(broken.getByRole('link')).toHaveCount(0)
    await expect(broken.getByRole('button')).toHaveCount(1)
    expect(await violations(page)).toEqual([])
    await page.getByRole('radio', { name: 'Finished' }).check()
    await expect(page.locator('li')).toHaveCount(1)
    await page.getByRole('radio', { name: 'All' }).check()
    await broken.getByRole('button', { name: 'Delete: A game that cannot be read' }).click()
    await expect(page.getByRole('dialog')).toContainText('A game that cannot be read will be gone for good.')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.locator('li')).toHaveCount(2)
    await page.reload()
    await expect(page.locator('li')).toHaveCount(2)
    await expect(broken).toHaveCount(0)
  } finally {
    await own.stop()
  }
})

test('your games: continue the last one, look at an old one, delete one', async ({ table }) => {
  const own = new Server()
  await own.start()
  try {
    const { page } = table
    await page.goto(`${own.url}/#/games`)
    await expect(page.getByText('No games yet.')).toBeVisible()
    await table.begin(own.url)
    await table.play(GAMES.wipeOut)
    await page.goto(own.url)
    await table.begin(own.url)
    await table.play('f5d6')
    await page.goto(own.url)
    await page.getByRole('link', { name: /^Continue your game/ }).click()
    await expect(table.square('d6')).toHaveAttribute('data-disc', 'white')

    await page.goto(`${own.url}/#/games`)
    await expect(page.locator('li')).toHaveCount(2)
    await page.locator('li', { hasText: 'Black wins 64–0.' }).getByRole('link').click()
    await expect(table.result).toContainText('Black wins 64–0.')
    await page.goBack()
    await page.locator('li', { hasText: 'Black wins 64–0.' }).getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await expect(page.locator('li')).toHaveCount(2)
    await page.locator('li', { hasText: 'Black wins 64–0.' }).getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.locator('li')).toHaveCount(1)
    await page.reload()
    await expect(page.locator('li')).toHaveCount(1)
  } finally {
    await own.stop()
  }
})

test('settings change the board at once and are remembered', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play('f5')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('radio', { name: 'Wood' }).check()
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByRole('switch', { name: 'Show where you can play' }).uncheck()
  await page.getByRole('switch', { name: 'Move numbers on the discs' }).check()
  await page.getByRole('switch', { name: 'Letters and numbers around the board' }).uncheck()
  await page.keyboard.press('Escape')
  for (const again of [false, true]) {
    if (again) await page.reload()
    await expect(table.square('f5')).toHaveText('1')
    await expect(page.locator('.board')).toHaveAttribute('data-colours', 'wood')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(page.locator('.ring.open')).toHaveCount(0)
    await expect(page.locator('.letters')).toHaveCount(0)
  }
  // Without marks one may still play.
  await table.play('d6')
})

test('a link to a game that is not there says so', async ({ table, server }) => {
  await table.page.goto(`${server.url}/#/game/nosuchgame`)
  await expect(table.page.getByRole('heading', { name: 'This game is not here' })).toBeVisible()
})

test('the keys are explained, and dialogs keep the focus', async ({ table, server }) => {
  await table.begin(server.url)
  await table.page.keyboard.press('?')
  await expect(table.page.getByRole('dialog', { name: 'Help' })).toBeVisible()
  await table.page.keyboard.press('Escape')
  await expect(table.page.getByRole('dialog')).toHaveCount(0)
  await table.page.keyboard.press('n')
  const dialog = table.page.getByRole('dialog', { name: 'Start a new game?' })
  // The button that changes nothing has the focus.
  await expect(dialog.getByRole('button', { name: 'Keep playing' })).toBeFocused()
  await table.page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
})

test('a key that is pressed in the moment a dialog closes is heard', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play('f5')
  for (const open of [() => table.page.keyboard.press('?'), () => table.page.getByRole('button', { name: 'Resign' }).click()]) {
    await open()
    await expect(table.page.getByRole('dialog')).toBeVisible()
    // The page hears of the closing after the key.
    await table.page.evaluate(() => {
      const dialog = document.querySelector('dialog')!
      const inside = document.activeElement!
      dialog.close()
      const target = inside.isConnected && document.activeElement === document.body ? inside : document.activeElement!
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }))
    })
    const next = table.page.getByRole('dialog', { name: 'Start a new game?' })
    await expect(next.getByRole('button', { name: 'Keep playing' })).toBeFocused()
    await next.getByRole('button', { name: 'Keep playing' }).click()
    await expect(table.page.getByRole('dialog')).toHaveCount(0)
  }
})

test('how to play teaches by doing', async ({ table, server }) => {
  const { page } = table
  await page.goto(`${server.url}/#/how-to-play`)
  const [first, lines, pass] = [0, 1, 2].map((i) => page.locator('figure').nth(i))
  await first!.locator('[data-square=f5]').click()
  await expect(first!).toContainText('You outflanked one white disc and it turned.')
  await lines!.locator('[data-square=a1]').click()
  await expect(lines!).toContainText('a1 turns nothing here.')
  await lines!.locator('[data-square=d6]').click()
  await expect(lines!).toContainText('Five discs turned in three lines.')
  await pass!.locator('[data-square=c1]').click()
  await expect(pass!).toContainText('White has no move. Black plays again: f4.')
  await pass!.locator('[data-square=f4]').click()
  await expect(pass!).toContainText('64–0')
  await page.locator('figure').nth(3).locator('[data-square=e6]').click()
  await expect(page.locator('figure').nth(3)).toContainText('Right!')
})
