// The end of a game: said to people, glad for a moment, and one tap from what comes next.
import { playOut, scriptedComputer } from './computer.ts'
import { expect, GAMES, test } from './table.ts'

test('a win against the computer: you win, the discs wave once, and the next level is one tap away', async ({ table, server }) => {
  const { page } = table
  const computer = await scriptedComputer(page)
  await table.begin(server.url)
  await playOut(table, computer, GAMES.full)
  await expect(table.result).toContainText('You win, 40–24!')
  await expect(table.bar('black')).toContainText('You win')
  await expect(page).toHaveTitle('You win, 40–24! · Outflank')
  await expect(page.getByTestId('assertive')).toContainText('You win, 40–24!')
  // The wave has the winner's colour, takes less than a second, and does not come again.
  await expect(page.locator('.felt')).toHaveAttribute('data-wave', 'black')
  const wave = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('.felt .face.black')].map((face) => {
        const style = getComputedStyle(face)
        return (parseFloat(style.animationDuration) + parseFloat(style.animationDelay)) * 1000
      }),
    ),
  )
  expect(wave).toBeGreaterThan(300)
  expect(wave).toBeLessThan(1000)
  await page.getByRole('button', { name: 'To the start of the game' }).click()
  await expect(table.status).toContainText('The start of the game.')
  await page.keyboard.press('ArrowRight')
  await expect(table.square('d3')).toHaveAttribute('data-disc', 'black')
  await page.getByRole('button', { name: 'Back to the result' }).click()
  await expect(table.result).toBeVisible()
  await expect(page.locator('.felt[data-wave]')).toHaveCount(0)

  await page.getByRole('button', { name: 'Try level 2 · Beginner' }).click()
  await expect(table.bar('white')).toContainText('Computer · Beginner')
  await expect(table.moves.locator('li')).toHaveCount(0)
  // It is what is offered the next time.
  await page.goto(server.url)
  await page.locator('[aria-controls=way-computer]').click()
  await expect(page.getByText('2 · Beginner', { exact: true })).toBeVisible()
})

test('a defeat: the own number first, a kind word that is true, no wave, no harder level', async ({ table, server }) => {
  const { page } = table
  const computer = await scriptedComputer(page)
  await table.begin(server.url)
  await playOut(table, computer, GAMES.passes)
  await expect(table.result).toContainText('You lose 29–35.')
  await expect(table.result).toContainText('Well fought: you led until move 59.')
  await expect(table.bar('white')).toContainText('wins')
  await expect(page.locator('.felt[data-wave]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Try level/ })).toHaveCount(0)
})

test('reduced motion: no wave', async ({ table, server }) => {
  const { page } = table
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await expect(table.result).toBeVisible()
  expect(await page.locator('.felt .face.black').first().evaluate((face) => getComputedStyle(face).animationName)).toBe('none')
})

test('names: who won is said by name, and the winner’s number comes first everywhere', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url, async (start) => {
    await start.getByLabel('Black').fill('Ana')
    await start.getByLabel('White').fill('Luis')
  })
  await table.hurry(GAMES.early)
  await expect(table.result).toContainText('Luis wins 34–30.')
  await expect(table.result).toContainText('On the board 32–30; the 2 empty squares go to the winner.')
  await expect(table.result).not.toContainText('−')
  await expect(page).toHaveTitle('Luis wins 34–30 · Outflank')
})

test('the title says whose turn it is', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await expect(page).toHaveTitle('Black to move · Outflank')
  await table.play('f5')
  await expect(page).toHaveTitle('White to move · Outflank')
  await page.goto(server.url)
  await expect(page).toHaveTitle('Outflank')
  await scriptedComputer(page)
  await table.begin(server.url)
  await expect(page).toHaveTitle('Your turn · Outflank')
  await table.play('f5')
  await expect(page).toHaveTitle('The computer is thinking · Outflank')
})
