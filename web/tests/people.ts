// People on a server that is open to everybody: nobody owns it for being at the machine.
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { Server } from './server.ts'
import { expect, Table, type Page } from './table.ts'

/** A name of the server that is no address of this machine, so that its links are for others too. It is this machine all the same. */
const NAME = 'club.localhost'
export const FLAGS = ['--host', NAME, '--open-lobby'] as const

export const PASSWORD = 'four discs in the middle'

export class Club extends Server {
  async open(): Promise<void> {
    await this.start(...FLAGS)
  }
  /** As visitors know it. */
  get address(): string {
    return this.url.replace('127.0.0.1', NAME)
  }
}

/** Somebody's browser, which nothing connects with the others. */
export async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Table> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options })
  await context.addInitScript(() => localStorage.setItem('outflank.prefs', JSON.stringify({ ...JSON.parse(localStorage.getItem('outflank.prefs') ?? '{}'), speed: 'none', sound: false })))
  return new Table(await context.newPage())
}

/** Makes an account, as quickly as a page can: the codes are not kept. */
export async function signUp(page: Page, address: string, handle: string): Promise<void> {
  await page.goto(`${address}/#/account`)
  await newAccount(page, handle)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(handle)
}

/** Fills the form that is there. */
export async function newAccount(page: Page, handle: string): Promise<void> {
  await page.getByRole('radio', { name: 'New account' }).check()
  await page.getByLabel('Name', { exact: true }).fill(handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
  await expect(page.getByTestId('codes')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
}
