// What the game must do, M1 to M19, each by its name; docs/mission.md has the lines.
import { expect, GAMES, squares, test } from './table.ts'

const START = '---------------------------OX------XO---------------------------'

test('M1: 64 squares, each black, white or empty', async ({ table, server }) => {
  await table.begin(server.url)
  await expect(table.page.getByRole('gridcell')).toHaveCount(64)
  expect(await table.board()).toMatch(/^[XO-]{64}$/)
})

test('M2: the players settle who plays which colour before the game', async ({ table, server }) => {
  await table.begin(server.url, async (page) => {
    await page.getByLabel('Black').fill('Ana')
    await page.getByLabel('White').fill('Luis')
    await page.getByRole('button', { name: 'Swap' }).click()
    await expect(page.getByLabel('Black')).toHaveValue('Luis')
    await page.getByRole('button', { name: 'Toss a disc' }).click()
    await expect(page.getByText(/plays Black\.$/).first()).toBeVisible()
    await page.getByLabel('Black').fill('Ana')
    await page.getByLabel('White').fill('Luis')
  })
  await expect(table.bar('black')).toContainText('Ana')
  await expect(table.bar('white')).toContainText('Luis')
})

test('M3: white starts on d4 and e5, black on d5 and e4', async ({ table, server }) => {
  await table.begin(server.url)
  expect(await table.board()).toBe(START)
})

test('M4: Black moves first, one disc a turn, no disc ever moves to another square', async ({ table, server }) => {
  await table.begin(server.url)
  let before = await table.board()
  let turn: string = 'black'
  for (const square of squares(GAMES.wipeOut).slice(0, 6)) {
    expect(await table.turn()).toBe(turn)
    await table.play(square)
    const after = await table.board()
    expect([...after].filter((c) => c !== '-')).toHaveLength([...before].filter((c) => c !== '-').length + 1)
    for (let i = 0; i < 64; i++) if (before[i] !== '-') expect(after[i]).not.toBe('-')
    before = after
    turn = turn === 'black' ? 'white' : 'black'
  }
})

test('M5: a square that outflanks nothing cannot be played, and says so', async ({ table, server }) => {
  await table.begin(server.url)
  await table.square('a1').click()
  await expect(table.status).toContainText('a1 would turn nothing')
  await table.square('d4').click()
  await expect(table.status).toContainText('There is a disc on d4 already.')
  expect(await table.board()).toBe(START)
})

test('M6: every outflanked disc in every line is turned', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play(GAMES.wipeOut.slice(0, 16))
  // e3 outflanks down the column and along both diagonals: every white disc turns.
  await table.square('e3').hover()
  await expect(table.page.locator('.ring.preview')).toHaveCount((await table.board()).replaceAll(/[^O]/g, '').length)
  await table.play('e3')
  expect(await table.board()).not.toContain('O')
})

test('M7: without a move the turn passes by itself, with a notice that stays; nobody may pass by choice', async ({ table, server }) => {
  await table.begin(server.url)
  await expect(table.page.getByRole('button', { name: /pass/i })).toHaveCount(0)
  await table.play(GAMES.pass)
  await expect(table.notice).toHaveText('Black has no move. White plays again.')
  await expect(table.page.getByTestId('assertive')).toContainText('Black has no move. White plays again.')
  await expect(table.moves.locator('li.pass')).toContainText('pass')
  expect(await table.turn()).toBe('white')
  // A wrong click does not take the notice away, nor does White's move: it stays until Black has played again.
  await table.square('c1').click()
  await expect(table.notice).toBeVisible()
  for (let own = false; !own; ) {
    own = (await table.turn()) === 'black'
    await expect(table.notice).toBeVisible()
    const [next] = await table.legal()
    await table.play(next ?? '')
  }
  await expect(table.notice).toHaveCount(0)
  await expect(table.moves.locator('li.pass').first()).toContainText('pass')
})

test('M8, M9: the game ends on a full board; more discs win', async ({ table, server }) => {
  await table.begin(server.url)
  await table.hurry(GAMES.full)
  await expect(table.result).toContainText('Black wins 40–24.')
  await expect(table.result).toContainText('The board is full.')
})

test('M8: the game ends when one colour has no disc left', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await expect(table.result).toContainText('Black wins 64–0.')
  await expect(table.result).toContainText('White has no disc left.')
})

test('M8, M10: neither side can move: the empty squares go to the winner', async ({ table, server }) => {
  await table.begin(server.url)
  await table.hurry(GAMES.early)
  await expect(table.result).toContainText('White wins 34–30.')
  await expect(table.result).toContainText('Neither side can move.')
  await expect(table.result).toContainText('On the board 32–30; the 2 empty squares go to the winner.')
})

test('M9: equal counts are a draw', async ({ table, server }) => {
  await table.begin(server.url)
  await table.hurry(GAMES.draw)
  await expect(table.result).toContainText('A draw, 32–32.')
})

test('M10: in a draw each side gets half of the empty squares', async ({ table, server }) => {
  await table.begin(server.url)
  await table.hurry(GAMES.drawWithEmpties)
  await expect(table.result).toContainText('A draw, 32–32.')
  await expect(table.result).toContainText('On the board 31–31; the 2 empty squares are shared.')
})

test('M11: the score is black less white; a forfeit is 64', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play('f5')
  await table.page.getByRole('button', { name: 'Resign' }).click()
  await expect(table.page.getByRole('dialog')).toBeVisible()
  await table.page.getByRole('button', { name: 'Black resigns' }).click()
  await expect(table.result).toContainText('White wins 64–0.')
  await expect(table.result).toContainText('Black resigned.')
  // The signed score stands in the details; who won reads no minus sign.
  await expect(table.result).not.toContainText('−')
  await table.page.getByRole('button', { name: 'Save' }).click()
  await expect(table.page.getByTestId('details')).toContainText('Score −64')
})

test('M12: each player has thirty minutes, by a preset of that name; running out forfeits', async ({ table, server }) => {
  await table.begin(server.url, async (page) => {
    await page.getByRole('radio', { name: 'Thirty minutes' }).check()
  })
  await expect(table.bar('black').getByRole('timer')).toHaveText('30:00')
  await expect(table.bar('white').getByRole('timer')).toHaveText('30:00')

  await table.begin(server.url, async (page) => {
    await page.getByRole('radio', { name: 'Custom' }).check()
    await page.getByRole('radio', { name: 'Fixed' }).check()
    await page.getByLabel('Minutes for each player').fill('0.1')
  })
  await table.play('f5')
  // White's six seconds run: tenths and the alarm, then the flag.
  await expect(table.bar('white').getByRole('timer')).toHaveText(/^\d\.\d$/)
  await expect(table.bar('white').locator('.low')).toBeVisible()
  await expect(table.result).toContainText('White ran out of time.', { timeout: 15_000 })
  await expect(table.result).toContainText('Black wins 64–0.')
  await table.page.getByRole('button', { name: 'Save' }).click()
  await expect(table.page.getByTestId('details')).toContainText('Score +64')
})

test('M13: columns a to h, rows 1 to 8, a1 at the top left', async ({ table, server }) => {
  await table.begin(server.url)
  const corner = async (name: string) => (await table.square(name).boundingBox()) ?? { x: 0, y: 0 }
  const [a1, h1, a8, e5] = [await corner('a1'), await corner('h1'), await corner('a8'), await corner('e5')]
  expect(a1.x).toBeLessThan(h1.x)
  expect(a1.y).toBeCloseTo(h1.y, 0)
  expect(a1.y).toBeLessThan(a8.y)
  expect(a1.x).toBeCloseTo(a8.x, 0)
  expect(e5.x - a1.x).toBeCloseTo(4 * ((h1.x - a1.x) / 7), 0)
  await expect(table.page.locator('.letters')).toHaveText('abcdefgh')
  await expect(table.page.locator('.digits')).toHaveText('12345678')
})

test('M14: the legal squares are highlighted, and a click plays there', async ({ table, server }) => {
  await table.begin(server.url)
  expect((await table.legal()).sort()).toEqual(['c4', 'd3', 'e6', 'f5'])
  await expect(table.page.locator('.ring.open')).toHaveCount(4)
  await table.square('f5').click()
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
  await expect(table.square('e5')).toHaveAttribute('data-disc', 'black')
})

test('M15: a button starts a new game after a confirmation and scraps the current one', async ({ table, server }) => {
  await table.begin(server.url)
  // Either player may use it: here it is White's turn.
  await table.play('f5')
  await table.page.getByRole('button', { name: 'New game' }).click()
  const dialog = table.page.getByRole('dialog')
  await expect(dialog).toContainText('will be scrapped')
  await table.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')

  const old = table.page.url()
  await table.page.getByRole('button', { name: 'New game' }).click()
  await table.page.getByRole('button', { name: 'Scrap it and start' }).click()
  await expect(table.page).not.toHaveURL(old)
  await expect(table.square('f5')).toHaveAttribute('data-disc', '')
  expect(await table.board()).toBe(START)

  await table.page.goto(old)
  await expect(table.result).toContainText('Scrapped.')
})

test('M16: score and winner are shown at the end', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await expect(table.result).toContainText('Black wins 64–0.')
  await expect(table.bar('black')).toContainText('wins')
  await expect(table.result).toContainText('On the board 13–0; the 51 empty squares go to the winner.')
  await expect(table.page.getByTestId('assertive')).toContainText('Black wins 64–0.')
  await table.page.getByRole('button', { name: 'Save' }).click()
  await expect(table.page.getByTestId('details')).toContainText('Score +64')
})

test('M17: two people, player 1 black and player 2 white, at one screen', async ({ table, server }) => {
  await table.page.addInitScript(() => localStorage.clear())
  await table.begin(server.url)
  await expect(table.bar('black')).toContainText('Player 1')
  await expect(table.bar('white')).toContainText('Player 2')
  await table.play('f5d6')
  expect(await table.turn()).toBe('black')
})

test.describe('in Spanish', () => {
  test.use({ locale: 'es-ES' })
  test('M18: it speaks Spanish to a Spanish reader, and no English is left', async ({ table, server }) => {
    await table.begin(server.url)
    await expect(table.page.locator('html')).toHaveAttribute('lang', 'es')
    await table.play(GAMES.pass)
    await expect(table.notice).toHaveText('Negro no tiene jugada: vuelve a jugar Blanco.')
    for (const hash of ['', '#/games', '#/how-to-play']) {
      await table.page.goto(`${server.url}/${hash}`)
      await expect(table.page.getByRole('heading', { level: 1 })).toBeVisible()
      const text = await table.page.locator('body').innerText()
      expect(text).not.toMatch(/\b(the|and|move|play|game|your|with|black|white|settings)\b/i)
      expect(text).not.toContain('page-')
    }
  })
})

test('M18: the language can be changed in the page, and is remembered', async ({ table, server }) => {
  await table.page.goto(server.url)
  await expect(table.page.getByRole('heading', { level: 1 })).toHaveText('Play Reversi')
  await table.page.getByRole('button', { name: 'Español' }).click()
  await expect(table.page.getByRole('heading', { level: 1 })).toHaveText('Juega al Reversi')
  await table.page.reload()
  await expect(table.page.getByRole('heading', { level: 1 })).toHaveText('Juega al Reversi')
  await expect(table.page.locator('html')).toHaveAttribute('lang', 'es')
})

test('M19: it can be played by clicking (the terminal has tests of its own)', async ({ table, server }) => {
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await expect(table.result).toBeVisible()
})
