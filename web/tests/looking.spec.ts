// Passes that stay in sight, and looking back without touching the game.
import { scriptedComputer } from './computer.ts'
import { expect, GAMES, squares, test } from './table.ts'

test('against the computer: each of three passes is told until the player has moved again', async ({ table, server }) => {
  const { page } = table
  const computer = await scriptedComputer(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await table.begin(server.url)
  await expect(table.bar('white')).toContainText('Computer')
  let told = 0
  let passed = false
  for (const square of squares(GAMES.blackPasses)) {
    if ((await table.turn()) === 'white') {
      computer.play(square)
      await expect(table.square(square)).toHaveAttribute('data-disc', 'white')
      // The computer's next move takes nothing away.
      if (passed) await expect(table.notice).toHaveText('You had no move, so White played again. Now it is your turn.')
      else if ((await table.turn()) === 'white') {
        passed = true
        told += 1
        await expect(table.notice).toHaveText('You have no move. White plays again.')
        expect(await table.notice.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThanOrEqual(16)
      }
    } else {
      await expect(table.notice).toHaveCount(passed ? 1 : 0)
      await table.play(square)
      await expect(table.notice).toHaveCount(0)
      passed = false
    }
    if (passed) await expect(table.notice).toBeInViewport({ ratio: 1 })
    if (passed && told > 0 && (await table.turn()) === 'white') await expect(table.moves.locator('li.pass').last()).toBeInViewport({ ratio: 0.95 })
  }
  expect(told).toBe(3)
  await expect(table.result).toContainText('You lose 27–37.')
  await expect(table.moves.locator('li.pass')).toHaveCount(3)
  // Looking back, the notice stands where it stood.
  await page.locator('[data-ply="18"]').click()
  await expect(table.notice).toHaveText('No move for you.')
  await page.getByRole('button', { name: 'One move forward' }).click()
  await expect(table.notice).toBeVisible()
  await page.getByRole('button', { name: 'One move forward' }).click()
  await expect(table.notice).toHaveCount(0)
})

for (const size of [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 640, height: 360 },
  { width: 1280, height: 800 },
]) {
  test(`looking back at ${size.width}×${size.height}: nothing acts on the game, and the page says where one is`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize(size)
    await table.begin(server.url)
    await table.play('f5d6c5f4e7f6')
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'One move back' }).click()
    await expect(table.status).toContainText('Looking back at move 3 of 6')
    await expect(table.status).toBeInViewport({ ratio: 1 })
    // What is seen there is not covered by anything.
    const covered = () =>
      table.status.evaluate((line) => {
        const { left, top, width, height } = line.getBoundingClientRect()
        return !line.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
    expect(await covered()).toBe(false)
    for (const name of ['Take back', 'Hint', 'Resign']) await expect(page.getByRole('button', { name })).toHaveCount(0)
    for (const key of ['u', 'i']) {
      await page.keyboard.press(key)
      await expect(table.status).toContainText('You are looking at an earlier position. Go back to the game first.')
      expect(await covered()).toBe(false)
    }
    await table.square('a1').click()
    await expect(table.status).toContainText('You are looking at an earlier position.')
    await expect(table.moves.locator('li')).toHaveCount(6)
    await expect(page.locator('.hint')).toHaveCount(0)
    await page.getByRole('button', { name: 'Back to the game' }).click()
    await expect(table.square('f6')).toHaveAttribute('data-disc', 'white')
    await page.getByRole('button', { name: 'Take back' }).click()
    await expect(table.moves.locator('li')).toHaveCount(5)
  })
}

test('arrows after a click step through the game; after Tab or a typed square they walk on the board', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play('f5d6c5')
  await page.keyboard.press('ArrowLeft')
  await expect(table.square('c5')).toHaveAttribute('data-disc', '')
  await page.keyboard.press('Home')
  await expect(table.square('f5')).toHaveAttribute('data-disc', '')
  await page.keyboard.press('End')
  await expect(table.square('c5')).toHaveAttribute('data-disc', 'black')
  await page.keyboard.type('d3')
  await expect(table.square('d3')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(table.square('c3')).toBeFocused()
  await expect(table.square('c5')).toHaveAttribute('data-disc', 'black')
  // The ends of the game, wherever one is: so the sheet of keys says.
  await page.keyboard.press('Home')
  await expect(table.square('c3')).toBeFocused()
  await expect(table.square('f5')).toHaveAttribute('data-disc', '')
  await page.keyboard.press('End')
  await table.square('a1').click()
  await page.keyboard.press('ArrowLeft')
  await expect(table.square('c5')).toHaveAttribute('data-disc', '')
})

test('a square reached by keys is marked, also after the mouse was used', async ({ table, server }) => {
  await table.begin(server.url)
  await table.square('a1').click()
  await table.page.keyboard.type('d3')
  await expect(table.square('d3')).toBeFocused()
  expect(await table.square('d3').evaluate((element) => element.matches(':focus-visible'))).toBe(true)
})

test('help opens over the game by key and by button, and the way back from the rules leads to the game', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play('f5')
  const game = page.url()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Help' })
  await expect(dialog).toContainText('Step through the game')
  expect(page.url()).toBe(game)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Help' }).click()
  await expect(dialog).toBeVisible()
  expect(page.url()).toBe(game)
  await dialog.getByRole('link', { name: /How to play/ }).click()
  await page.getByRole('link', { name: 'Back to the game' }).first().click()
  // The boards of the rules are gone before the game's own is looked at.
  await expect(table.square('f5')).toHaveCount(1)
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
  expect(page.url()).toBe(game)
})

for (const size of [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
]) {
  test(`whatever is said, the board stays where it lies (${size.width}×${size.height})`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize(size)
    await table.begin(server.url)
    await table.play(GAMES.pass.slice(0, 14))
    const place = () => page.getByRole('grid').boundingBox()
    const before = await place()
    await table.square('a1').click()
    await expect(page.getByTestId('remark')).toBeVisible()
    expect(await place(), 'a remark').toEqual(before)
    await table.play('c1')
    await expect(table.notice).toBeVisible()
    expect(await place(), 'a pass').toEqual(before)
    await table.square('a8').click()
    await expect(page.getByTestId('remark')).toBeVisible()
    expect(await place(), 'a pass and a remark').toEqual(before)
    await page.locator('main button.prev').click()
    expect(await place(), 'looking back').toEqual(before)
  })
}

test('a phone that is turned keeps the shown move in sight', async ({ table, server }) => {
  await table.begin(server.url)
  await table.hurry(GAMES.full.slice(0, 60))
  const last = table.page.locator('[data-ply="30"]')
  await expect(last).toBeInViewport()
  await table.page.setViewportSize({ width: 390, height: 844 })
  await expect(last).toBeInViewport({ ratio: 0.9 })
})
