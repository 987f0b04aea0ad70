// A game begun in one language is read in the other without a word of the first.
import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { parsed } from '../build/messages.ts'
import { expect, GAMES, test, type Page, type Table } from './table.ts'

const messages = parsed(fileURLToPath(new URL('../../locales', import.meta.url)))
type Language = 'en' | 'es'

/** Each message as the whole text of an element could be it, with anything in place of what varies. */
function sentences(language: Language): Map<string, RegExp> {
  const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const written = (part: unknown): string => {
    if (typeof part === 'string') return escape(part)
    if (Array.isArray(part)) return part.map(written).join('')
    const { type, variants } = part as { type: string; variants?: { value: unknown }[] }
    return type === 'select' ? `(?:${(variants ?? []).map((variant) => written(variant.value)).join('|')})` : '.+'
  }
  const all = (messages[language] ?? []).map(({ id, value }) => [id, written(value)] as const)
  // One that is hardly more than what varies would fit any text.
  const telling = all.filter(([, pattern]) => (pattern.replaceAll(/\.\+|\(\?:/g, '').match(/\p{L}/gu) ?? []).length >= 2)
  return new Map(telling.map(([id, pattern]) => [id, new RegExp(`^${pattern}$`, 's')]))
}

/** What can be read or heard on the page, piece by piece. */
function read(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said: string[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'aria-valuetext', 'alt', 'title', 'placeholder']) said.push(node.getAttribute(name) ?? '')
      } else {
        said.push(node.textContent ?? '')
      }
    }
    said.push(document.title.replace(' · Outflank', ''))
    return said.map((text) => text.replaceAll('\u00a0', ' ').trim()).filter((text) => /\p{L}{2}/u.test(text))
  })
}

async function onlyIn(page: Page, language: Language, where: string): Promise<void> {
  const [own, other] = [sentences(language), sentences(language === 'en' ? 'es' : 'en')]
  const among = (all: Map<string, RegExp>, text: string) => [...all.values()].some((sentence) => sentence.test(text))
  const foreign = (text: string) => among(other, text) && !among(own, text)
  // What is looked for would be found.
  expect(foreign(language === 'es' ? 'Player 1' : 'Jugador 1')).toBe(true)
  const texts = await read(page)
  expect(texts.length, where).toBeGreaterThan(5)
  expect([...new Set(texts)].filter(foreign), where).toEqual([])
}

async function speak(page: Page, language: Language): Promise<void> {
  await page.locator('header nav button:last-child').click()
  await page.locator('dialog').getByRole('radio', { name: language === 'en' ? 'English' : 'Español' }).check()
  await page.keyboard.press('Escape')
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** The first page, the option for one way to play, and its start. */
async function begin(table: Table, url: string, way: 'two' | 'computer'): Promise<void> {
  await table.page.goto(url)
  await table.page.locator(`[aria-controls=way-${way}]`).click()
  await table.page.locator(`#way-${way} button[type=submit]`).click()
  await expect(table.square('d4')).toHaveAttribute('data-disc', /black|white/)
}

for (const [from, to] of [
  ['en', 'es'],
  ['es', 'en'],
] as const) {
  test.describe(`from ${from} to ${to}`, () => {
    test.use({ locale: from === 'en' ? 'en-GB' : 'es-ES' })
    test(`a game begun in ${from} is read in ${to} without a foreign word`, async ({ table, server }) => {
      const { page } = table
      const names = { en: ['Player 1', 'Player 2', 'You'], es: ['Jugador 1', 'Jugador 2', 'Tú'] }[to]

      await begin(table, server.url, 'computer')
      await table.play('f5')
      await expect(table.square('f5')).toHaveAttribute('data-disc', /black|white/)
      await speak(page, to)
      await expect(table.bar('black')).toContainText(names[2]!)
      await onlyIn(page, to, 'against the computer')
      await speak(page, from)

      await page.goto(server.url)
      await page.locator('[aria-controls=way-two]').click()
      // A toss or a swap writes no name that nobody gave.
      await page.locator('#way-two .row .button').first().click()
      await page.locator('#way-two .row .button').last().click()
      await speak(page, to)
      await onlyIn(page, to, 'start')
      await speak(page, from)

      await begin(table, server.url, 'two')
      await table.play(GAMES.pass)
      // A remark that stands there, and what a screen reader heard.
      await table.square('a1').click()
      await expect(page.getByTestId('remark')).toBeVisible()
      await speak(page, to)
      await expect(table.bar('black')).toContainText(names[0]!)
      await expect(table.bar('white')).toContainText(names[1]!)
      await expect(table.notice).toBeVisible()
      await expect(page.getByTestId('remark')).toBeVisible()
      await onlyIn(page, to, 'pass')
      await page.locator('main button.prev').click()
      await onlyIn(page, to, 'looking back')
      await speak(page, from)

      await begin(table, server.url, 'two')
      await table.play(GAMES.wipeOut)
      await expect(table.result).toBeVisible()
      await speak(page, to)
      await onlyIn(page, to, 'end')
      await page.getByTestId('save').click()
      await expect(page.locator('dialog')).toBeVisible()
      await onlyIn(page, to, 'files')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('dialog .files a[href$="game.ggf"]').click(),
      ])
      const ggf = readFileSync(await download.path(), 'utf8')
      expect(ggf).toContain('GM[Othello]')
      expect(ggf).not.toMatch(/Player|Jugador|You|Tú/)

      await page.goto(`${server.url}/#/games`)
      await expect(page.locator('a.game').first()).toBeVisible()
      await onlyIn(page, to, 'games')
      expect((await page.locator('main').innerText()).split('\n')).toEqual(expect.arrayContaining(names))
      await page.goto(`${server.url}/#/`)
      await expect(page.locator('a.game').first()).toBeVisible()
      await onlyIn(page, to, 'start, with a game to continue')
    })
  })
}
