// From the lobby to signing out with Tab, Enter and Escape alone: whatever goes from the page, the keyboard has its place.
import type { Locator } from '@playwright/test'
import { Member } from './member.ts'
import { Club, visitor } from './people.ts'
import { expect, test, type Table } from './table.ts'

test.setTimeout(120_000)

/** Presses Tab until it is there. */
async function reach(table: Table, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  const isThere = () => wanted.evaluate((one) => one === document.activeElement)
  for (let tabs = 0; tabs < 100 && !(await isThere()); tabs++) await table.page.keyboard.press('Tab')
  await expect(wanted).toBeFocused()
}

async function press(table: Table, wanted: Locator): Promise<void> {
  await reach(table, wanted)
  await table.page.keyboard.press('Enter')
}

test('lobby, offer, game, resignation, rematch, profile and signing out by keyboard', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, luis] = await Promise.all(
    ['Ana', 'Luis'].map(async (handle) => visitor(browser, { storageState: (await Member.of(club, handle)).storageState })),
  ) as [Table, Table]
  const { page } = ana
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const heading = (level: number) => page.getByRole('heading', { level })
  const dialog = page.getByRole('dialog')
  try {
    await luis.page.goto(`${club.address}/#/lobby`)
    await page.goto(`${club.address}/#/lobby`)
    // Escape and the offer itself lead back to where the dialog was opened.
    await press(ana, button('Make an offer'))
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button('Make an offer')).toBeFocused()
    await page.keyboard.press('Enter')
    await press(ana, dialog.getByRole('button', { name: 'Make an offer' }))
    await expect(button('Withdraw')).toBeVisible()
    await expect(button('Make an offer')).toBeFocused()
    // What is withdrawn takes its button with it: the heading above it has the focus.
    await press(ana, button('Withdraw'))
    await expect(button('Withdraw')).toHaveCount(0)
    await expect(heading(1)).toBeFocused()
    const take = luis.page.getByRole('button', { name: 'Play', exact: true })
    await expect(take).toHaveCount(0)

    await press(ana, button('Make an offer'))
    await press(ana, dialog.getByRole('button', { name: 'Make an offer' }))
    await take.click()
    await expect(page).toHaveURL(/#\/game\//)
    await expect(heading(1)).toBeFocused()
    const below = await page.locator('.bottom .bar').getAttribute('data-colour')
    const move = async (table: Table) => {
      await expect(table.page.locator('[data-legal]').first()).toBeVisible()
      const square = (await table.legal())[0] ?? ''
      await table.page.keyboard.type(square)
      await table.page.keyboard.press('Enter')
      await expect(table.square(square)).not.toHaveAttribute('data-disc', '')
    }
    for (const mover of below === 'black' ? [ana, luis] : [luis, ana]) await move(mover)

    // How it ended has the focus when the button that ended it is gone; a rematch is asked for and taken.
    await press(ana, button('Resign'))
    await press(ana, dialog.getByRole('button', { name: /resigns/ }))
    await expect(ana.result).toBeVisible()
    await expect(ana.result.getByRole('heading')).toBeFocused()
    await press(ana, button('Rematch'))
    await expect(page.getByTestId('offer')).toBeVisible()
    await expect(button('Rematch')).toBeFocused()
    const game = page.url()
    await luis.page.getByRole('button', { name: 'Accept' }).click()
    await expect(page).not.toHaveURL(game)
    await expect(ana.square('d4')).toHaveAttribute('data-disc', /black|white/)
    await expect(heading(1)).toBeFocused()

    // To oneself, and out.
    await press(ana, page.getByRole('link', { name: 'Ana', exact: true }))
    await expect(page).toHaveURL(/#\/people\/Ana/)
    await expect(heading(1)).toBeFocused()
    await press(ana, page.locator('main').getByRole('link', { name: 'Account' }))
    await expect(heading(1)).toBeFocused()
    await press(ana, button('Sign out'))
    await expect(page.getByRole('radio', { name: 'Sign in' })).toBeVisible()
    await expect(heading(1)).toBeFocused()
  } finally {
    for (const one of [ana, luis]) await one.page.context().close()
    await club.stop()
  }
})
