// The start page: a game in one tap or two, numbers that are what they say, and nothing behind the start button.
import { Server } from './server.ts'
import { expect, GAMES, test, type Page } from './table.ts'

test('a first game takes two taps, the next one takes one and says what it will be', async ({ table, server }) => {
  const { page } = table
  await page.goto(server.url)
  await expect(page.getByRole('button', { name: 'Play again' })).toHaveCount(0)
  await page.locator('[aria-controls=way-computer]').click()
  await page.locator('#way-computer button[type=submit]').click()
  await expect(table.bar('white')).toContainText('Computer')

  await page.goto(server.url)
  await page.locator('[aria-controls=way-computer]').click()
  await page.getByRole('slider', { name: 'How strong' }).fill('3')
  await page.getByRole('radio', { name: 'White' }).check()
  await page.getByRole('radio', { name: 'Club' }).check()
  await page.locator('#way-computer button[type=submit]').click()
  await expect(table.bar('white')).toContainText('20:00')

  await page.goto(server.url)
  const again = page.getByRole('button', { name: 'Play again' })
  await expect(again).toContainText('Computer 3 · Learner · you play White · Club')
  await again.click()
  await expect(table.bar('black')).toContainText('Computer · Learner')
  await expect(table.bar('white')).toContainText('You')
  await expect(table.bar('white')).toContainText('20:00')
  // What was chosen stands in the form too.
  await page.goto(server.url)
  await page.locator('[aria-controls=way-computer]').click()
  await expect(page.getByText('3 · Learner', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'White' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Club' })).toBeChecked()
})

test('a board lives on the start page: the game to be continued, else one that plays itself and can be stopped', async ({ table }) => {
  const own = new Server()
  await own.start()
  try {
    const { page } = table
    await page.goto(own.url)
    const discs = page.locator('.board .face')
    const before = await discs.count()
    await expect.poll(() => discs.count()).toBeGreaterThan(before)
    await page.getByRole('button', { name: 'Stop the game on the board' }).click()
    await expect(page.getByRole('button', { name: 'Let the game on the board go on' })).toBeVisible()
    // Nothing on it can be reached with the keyboard.
    await expect(page.locator('.board')).toHaveAttribute('inert', '')

    await table.begin(own.url)
    await table.play('f5d6c5')
    await page.goto(own.url)
    await expect(page.getByRole('link', { name: /^Continue your game.*Player 1 – Player 2.*Move 4/ })).toBeVisible()
    await expect(page.locator('.board .shadow')).toHaveCount(7)
    await expect(page.getByRole('button', { name: 'Stop the game on the board' })).toHaveCount(0)
    // The board itself leads there too.
    await page.locator('a.over').click()
    await expect(table.square('c5')).toHaveAttribute('data-disc', 'black')

    // A game in which nobody moved is not offered.
    await table.begin(own.url)
    await page.goto(own.url)
    await expect(page.getByRole('link', { name: /^Continue your game.*Move 4/ })).toBeVisible()
  } finally {
    await own.stop()
  }
})

test('reduced motion: the board of the start page is still', async ({ table }) => {
  const own = new Server()
  await own.start()
  try {
    const { page } = table
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(own.url)
    await expect(page.locator('.board .face')).toHaveCount(30)
    await expect(page.getByRole('button', { name: 'Stop the game on the board' })).toHaveCount(0)
    await page.clock.install()
    await page.clock.runFor(20_000)
    await expect(page.locator('.board .face')).toHaveCount(30)
  } finally {
    await own.stop()
  }
})

test('a clock of one’s own takes no number that is none, and changes none', async ({ table, server }) => {
  const { page } = table
  await page.goto(server.url)
  await page.locator('[aria-controls=way-two]').click()
  await page.getByRole('radio', { name: 'Custom' }).check()
  await page.getByRole('radio', { name: 'Fixed' }).check()
  const minutes = page.getByLabel('Minutes for each player')
  const start = page.locator('#way-two button[type=submit]')
  for (const wrong of ['0', '', '-3', '9999']) {
    await minutes.fill(wrong)
    await expect(page.getByRole('alert')).toHaveText('Please enter 0.1 to 1,440 minutes.')
    await start.click()
    await expect(minutes).toBeFocused()
    await expect(minutes).toHaveValue(wrong)
    await expect(table.square('d4')).toHaveCount(0)
  }
  await minutes.fill('2')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await start.click()
  await expect(table.bar('white').getByRole('timer')).toHaveText('2:00')
})

/** Whether what has the focus is wholly hidden behind the start button, with a margin for its outline. */
function hidden(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const active = document.activeElement as HTMLElement
    const bar = document.querySelector('.go')
    if (!bar || bar.contains(active) || !active.closest('form')) return null
    const box = (active.closest('label') ?? active).getBoundingClientRect()
    const over = bar.getBoundingClientRect()
    return box.bottom > over.top + 1 && box.top < over.bottom ? `${active.id || active.parentElement?.textContent}: ${box.bottom} > ${over.top}` : null
  })
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 640, height: 400 },
]) {
  test(`the start button hides nothing that has the focus (${size.width}×${size.height})`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize(size)
    await page.goto(server.url)
    await page.locator('[aria-controls=way-two]').click()
    await page.locator('#way-two input[type=radio]').nth(4).check()
    await page.locator('[aria-controls=way-two]').focus()
    const found: (string | null)[] = []
    for (let i = 0; i < 18; i++) {
      await page.keyboard.press('Tab')
      found.push(await hidden(page))
    }
    expect(found.filter(Boolean)).toEqual([])
    for (let i = 0; i < 18; i++) {
      await page.keyboard.press('Shift+Tab')
      found.push(await hidden(page))
    }
    expect(found.filter(Boolean)).toEqual([])
  })
}

test('your games: by kind, with results from the reader’s side, and untouched ones out of the way', async ({ table }) => {
  const own = new Server()
  await own.start()
  try {
    const { page } = table
    await table.begin(own.url)
    await table.play(GAMES.wipeOut)
    await table.begin(own.url)
    await table.play('f5')
    await table.begin(own.url)
    // Against the computer, given up: lost, from this side.
    await page.goto(own.url)
    await page.locator('[aria-controls=way-computer]').click()
    await page.locator('#way-computer button[type=submit]').click()
    await table.play('f5')
    await page.getByRole('button', { name: 'Resign' }).click()
    await page.getByRole('button', { name: 'Black resigns' }).click()
    await expect(table.result).toContainText('You lose 0–64.')

    await page.goto(`${own.url}/#/games`)
    await expect(page.locator('li')).toHaveCount(3)
    await page.getByRole('radio', { name: 'Finished' }).check()
    await expect(page.locator('li')).toHaveCount(2)
    await expect(page.locator('li', { hasText: 'Computer' })).toContainText('Lost')
    await expect(page.locator('li', { hasText: 'Black wins 64–0.' }).locator('.mark')).toHaveCount(0)
    await page.getByRole('radio', { name: 'Going on' }).check()
    await expect(page.locator('li')).toHaveCount(1)
    await expect(page.locator('li')).toContainText('Move 2')
    await page.getByRole('radio', { name: 'Not begun' }).check()
    await expect(page.locator('li')).toHaveCount(1)
  } finally {
    await own.stop()
  }
})

test('on a phone on its side and at 200 % a board and choices stand beside each other, and a game is in sight', async ({ page, server }) => {
  for (const [width, height] of [
    [640, 400],
    [844, 390],
    [900, 860],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(server.url)
    const [board, choice] = [page.locator('.board .felt'), page.locator('[aria-controls=way-two]')]
    await expect(board, `${width}×${height}`).toBeInViewport({ ratio: 1 })
    await expect(choice, `${width}×${height}`).toBeInViewport({ ratio: 1 })
    const [left, right] = [(await board.boundingBox())!, (await choice.boundingBox())!]
    expect(left.x + left.width, `${width}×${height}`).toBeLessThanOrEqual(right.x)
    expect(left.width, `${width}×${height}`).toBeGreaterThanOrEqual(220)
  }
})
