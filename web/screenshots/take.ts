// Takes scenes in the windows of a phone, or of a desktop and a tablet, for one reader.
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { expect, Table, test } from '../tests/table.ts'

const SIZES = {
  phone: [
    [360, 740],
    [390, 844],
  ],
  desktop: [
    [1280, 800],
    [1920, 1080],
    [768, 1024],
  ],
} as const
export type Device = keyof typeof SIZES

export interface Scene {
  name: string
  url: string | (() => Promise<string>)
  /** Whose browser it is; nobody's in particular, where nothing is said. */
  as?: BrowserContextOptions['storageState']
  then?: (table: Table, device: Device) => Promise<void>
  phonesOnly?: boolean
  /** All of a page that is higher than the window, in its first size. */
  whole?: boolean
}

/** Where the pictures of a group lie, which git ignores. */
export function folderOf(group: string): string {
  return fileURLToPath(new URL(`../test-results/pictures/${group}/`, import.meta.url))
}

export async function take(browser: Browser, group: string, scenes: readonly Scene[], language: string, theme: string, device: Device): Promise<void> {
  const wanted = process.env['SCENES']?.split(',')
  const sizes = SIZES[device]
  const [[width, height]] = sizes
  for (const scene of scenes) {
    if (scene.phonesOnly && device !== 'phone') continue
    if (wanted && !wanted.includes(scene.name)) continue
    const context = await browser.newContext({
      locale: language,
      viewport: { width, height },
      reducedMotion: 'reduce',
      ...(device === 'phone' ? { hasTouch: true, isMobile: true } : {}),
      ...(scene.as ? { storageState: scene.as } : {}),
    })
    const page = await context.newPage()
    await page.addInitScript(
      ([language, theme]) => {
        localStorage.setItem('outflank.prefs', JSON.stringify({ language, theme, speed: 'none', sound: false }))
        localStorage.setItem('outflank.study', JSON.stringify({ strength: { by: 'seconds', n: 1 } }))
      },
      [language, theme],
    )
    try {
      await page.goto(typeof scene.url === 'string' ? scene.url : await scene.url())
      await expect(page.locator('main').first()).toBeVisible()
      await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
      await scene.then?.(new Table(page), device)
    } catch (error) {
      // One scene that does not come about does not cost the others; its picture shows where it stopped.
      console.log(`    ${scene.name}, ${language}: ${String(error).split('\n')[0]}`)
    }
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await page.screenshot({ path: `${folderOf(group)}${scene.name}-${width}-${language}-${theme}.png`, fullPage: !!scene.whole })
    }
    await context.close()
  }
}

/** Each reader's pictures, as a test of its own. */
export function readers(title: string, pictures: (browser: Browser, language: string, theme: string, device: Device) => Promise<void>): void {
  for (const [language, theme] of [
    ['en', 'light'],
    ['es', 'dark'],
    ['en', 'dark'],
    ['es', 'light'],
  ] as const) {
    for (const device of ['phone', 'desktop'] as const) {
      test(`${title}: ${language}, ${theme}, ${device}`, async ({ browser }) => pictures(browser, language, theme, device))
    }
  }
}
