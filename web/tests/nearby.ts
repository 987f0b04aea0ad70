// Two people on two devices: one at the computer itself, the other by the door to the network.
import type { Browser, BrowserContextOptions, Locator } from '@playwright/test'
import jsQR from 'jsqr'
import { picture } from '../browsers/png.ts'
import { expect, Table, type Page } from './table.ts'

/** Begins a game with someone nearby. The reader is in the waiting room then. */
export async function wait(page: Page, url: string, name = 'Ana', options?: (page: Page) => Promise<void>): Promise<void> {
  await page.goto(url)
  await page.locator('[aria-controls=way-nearby]').click()
  await page.locator('#way-nearby').getByLabel('Your name').fill(name)
  await options?.(page)
  await page.locator('#way-nearby button[type=submit]').click()
}

/** What the QR code says, once the door is open. */
export async function invitation(page: Page): Promise<string> {
  const [door, code] = [page.getByRole('button', { name: 'Open to my network' }), page.getByRole('img', { name: 'QR code of the link below' })]
  await expect(door.or(code)).toBeVisible()
  if (await door.isVisible()) await door.click()
  await expect(code).toBeVisible()
  const text = await photographed(code)
  // The picture, the words below it and what is copied are the same.
  await expect(page.locator('.link')).toHaveText(text)
  return text
}

/** What a phone reads from the screen. */
export async function photographed(code: Locator): Promise<string> {
  const { width, height, at } = picture(await code.screenshot())
  const pixels = Array.from({ length: width * height }, (_, i) => [...at(i % width, Math.floor(i / width)), 255])
  return jsQR(Uint8ClampedArray.from(pixels.flat()), width, height)?.data ?? ''
}

/** Somebody else's device, which nothing connects with the first. */
export async function device(browser: Browser, options: BrowserContextOptions = {}): Promise<Table> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options })
  return new Table(await context.newPage())
}

export async function join(guest: Table, link: string, name = 'Luis'): Promise<void> {
  await guest.page.goto(link)
  await guest.page.getByLabel('Your name').fill(name)
  await guest.page.getByRole('button', { name: 'Join the game' }).click()
  await expect(guest.square('d4')).toHaveAttribute('data-disc', /black|white/)
}

/** Plays moves from two devices, each from the one whose turn it is. */
export async function playBoth(black: Table, white: Table, moves: string): Promise<void> {
  for (const name of moves.match(/../g) ?? []) {
    const mover = (await black.turn()) === 'black' ? black : white
    await mover.play(name)
    for (const seen of [black, white]) await expect(seen.square(name)).not.toHaveAttribute('data-disc', '')
  }
}
