// The first lesson, as a newcomer meets it: by mouse, by keyboard, in both languages, in a phone's window.
import { violationsInEveryLook } from './axe.ts'
import { Server } from './server.ts'
import { expect, test, type Page } from './table.ts'

const words = (page: Page) => page.getByTestId('lesson')

async function open(page: Page, url: string, prefs: object = {}): Promise<void> {
  await page.addInitScript((prefs) => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none', sound: false, ...prefs })), prefs)
  await page.goto(`${url}/#/learn`)
  await expect(words(page)).toBeVisible()
}

test('a newcomer finds it on the first page and after the rules', async ({ page }) => {
  // A server on which nobody has played: other tests are the same person.
  const fresh = new Server()
  await fresh.start()
  await page.goto(fresh.url)
  await page.getByRole('link', { name: 'First lesson' }).click()
  await expect(page).toHaveTitle('First lesson · Outflank')
  await page.getByRole('link', { name: 'The rules' }).click()
  await page.getByRole('link', { name: 'On to the first lesson' }).click()
  await expect(words(page)).toContainText('Find the move that wins')
  await fresh.stop()
})

test('a wrong move is answered and explained; the right ones lead through all three positions', async ({ table, server }) => {
  const { page } = table
  await open(page, server.url)
  // What turns nothing costs nothing.
  await table.square('g2').click()
  await expect(words(page)).toHaveText('g2 turns nothing. Try a marked square.')
  await table.square('h7').click()
  await expect(table.square('h8')).toHaveAttribute('data-disc', 'white')
  await expect(words(page)).toHaveText('White answers h8 and has the corner for good. If both play their best from here, White wins 51–13.')
  // While it is looked at, nothing else is played.
  expect(await table.legal()).toEqual([])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(table.square('h8')).toHaveAttribute('data-disc', '')
  await table.square('b8').click()
  await expect(table.square('b1')).toHaveAttribute('data-disc', 'white')
  await expect(words(page)).toContainText('White answers b1. Now take what White had to leave to you.')
  await table.square('h8').click()
  await expect(words(page)).toContainText('With best play you win 37–27.')

  await page.getByRole('button', { name: 'Next' }).click()
  await expect(words(page)).toContainText('leaves White just one')
  await table.square('h6').click()
  await expect(words(page)).toContainText('White answers b2.')
  await table.square('c8').click()
  await expect(words(page)).toHaveText('c8 wins too, 45–19. But there is more: 48–16.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await table.square('a1').click()
  await expect(words(page)).toContainText('48–16')

  await page.getByRole('button', { name: 'Next' }).click()
  await table.square('h2').click()
  await expect(words(page)).toContainText('no empty square around it')
  await table.square('a3').click()
  await expect(words(page)).toContainText('With best play you win 36–28.')
  await expect(page.getByRole('button', { name: '(done)' })).toHaveCount(3)
  await page.getByRole('link', { name: 'Play a game' }).click()
  await expect(page.locator('.ways')).toBeVisible()
})

test('it can be done with the keyboard alone, and is heard', async ({ table, server }) => {
  const { page } = table
  await open(page, server.url)
  const heard = page.getByTestId('polite')
  // d4 has the tab stop at first.
  await table.square('d4').focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
  await expect(table.square('b8')).toBeFocused()
  await expect(table.square('b8')).toHaveAttribute('aria-label', 'b8, empty, legal, turns 1 disc')
  await page.keyboard.press('Enter')
  await expect(heard).toContainText('White answers b1.')
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(heard).toContainText('37–27')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused()
})

for (const language of ['en', 'es']) {
  test(`axe finds nothing wrong, and everything fits a phone (${language})`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize({ width: 360, height: 640 })
    await open(page, server.url, { language })
    const check = async (where: string) => {
      expect(await violationsInEveryLook(page), where).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(360)
      // No message is shown by its name.
      expect(await page.locator('main').innerText(), where).not.toContain('page-')
    }
    await check('asked')
    await table.square('h7').click()
    await expect(table.square('h8')).toHaveAttribute('data-disc', 'white')
    await check('answered')
    await page.locator('.told .button').click()
    for (const line of ['b8h8', 'h6a1', 'h2a5']) {
      for (const square of line.match(/../g) ?? []) {
        await table.square(square).click()
        await check(square)
      }
      await page.locator('.told .button').first().click()
    }
  })
}
