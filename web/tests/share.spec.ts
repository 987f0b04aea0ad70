// What is given away: all of it in the link, and a picture that is one.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { violations, violationsInEveryLook } from './axe.ts'
import { Server } from './server.ts'
import { expect, GAMES, test, type Page } from './table.ts'

async function openShare(page: Page): Promise<void> {
  await page.getByTestId('save').click()
  await page.getByRole('button', { name: /^(Share|Compartir)$/ }).click()
  await expect(page.getByTestId('share')).toBeVisible()
}

async function link(page: Page): Promise<string> {
  const shown = page.getByTestId('share').locator('output')
  await expect(shown).toContainText('#/s/1')
  return (await shown.innerText()).trim()
}

test('a game travels in its link to another server, and nothing is sent but what that one is asked', async ({ table, server, browser }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await openShare(page)
  const whole = await link(page)
  expect(whole.length).toBeLessThan(2000)

  const other = new Server()
  await other.start()
  const context = await browser.newContext({ locale: 'en-GB' })
  const there = await context.newPage()
  const asked: string[] = []
  there.on('request', (request) => asked.push(request.url()))
  await there.goto(whole.replace(server.url, other.url))
  await expect(there).toHaveURL(/#\/study\/\w+/)
  await expect(there.locator('main [data-square=f5]')).toBeVisible()
  expect(asked.filter((url) => !url.startsWith(other.url) || url.includes('/s/'))).toEqual([])
  // In place of the link: who goes back does not come here again.
  await there.goto(`${other.url}/#/games`)
  await there.goBack()
  await expect(there).toHaveURL(/#\/study\/\w+/)
  await context.close()
  await other.stop()
})

test('a position is shared as it stands on the board', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play('f5d6c3')
  await page.getByRole('button', { name: 'Resign' }).click()
  await page.getByRole('button', { name: 'Black resigns' }).click()
  await expect(table.result).toBeVisible()
  const shown = await table.board()
  await openShare(page)
  const whole = await link(page)
  await page.getByRole('radio', { name: 'This position' }).check()
  await expect(page.getByTestId('share').locator('output')).not.toHaveText(whole)
  const position = await link(page)
  await page.goto('about:blank')
  await page.goto(position)
  await expect(page).toHaveURL(/#\/study\/\w+/)
  await expect.poll(() => table.board()).toBe(shown)
})

test('a tree with variations, comments and drawings travels whole', async ({ table, server }) => {
  const { page } = table
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill('(;GM[2]PB[Ana]PW[Luis];B[f5];W[d6](;B[c3]CR[c3]TR[c3];W[d3])(;B[c4]C[or this];W[d3]))')
  await page.locator('form button[type=submit]').click()
  const tree = page.getByTestId('tree')
  await expect(tree.locator('[data-node]')).toHaveCount(6)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const whole = await link(page)
  await page.goto('about:blank')
  await page.goto(whole)
  await expect(page).toHaveURL(/#\/study\/\w+/)
  await expect(tree.locator('[data-node]')).toHaveCount(6)
  await expect(tree).toContainText('or this')
  await expect(page).toHaveTitle(/Ana – Luis/)
  // Two marks on one square are two marks.
  await tree.locator('[data-node]', { hasText: 'c3' }).click()
  await expect(page.locator('.mark')).toHaveCount(2)
})

test('a game travels with its names and times, and a picture of all of it has numbers', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await openShare(page)
  const whole = await link(page)
  expect(whole.length).toBeLessThan(2000)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'SVG' }).click()
  expect(readFileSync(await (await download).path()).toString()).toContain('>9</text>')
  await page.goto('about:blank')
  await page.goto(whole)
  await expect(page.getByTestId('graph')).toHaveAttribute('aria-valuetext', /Move 0 of 9/)
  await page.getByTestId('graph').press('End')
  await expect(page.getByTestId('graph')).toHaveAttribute('aria-valuetext', /Move 9 of 9.* seconds?/)
})

test('a link that holds too much, and a text that is too long, are refused in a sentence, and the line stays', async ({ table, server }) => {
  const { page } = table
  let lines = 0
  page.on('websocket', () => lines++)
  const packed = (text: string) => `1${deflateSync(text).toString('base64url')}`
  await page.goto(`${server.url}/#/s/${packed('f5'.repeat(500_000))}`)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill('f5d6 '.repeat(20_000))
  await page.locator('form button[type=submit]').click()
  await expect(page.getByRole('alert')).toHaveText('That is too much for one study.')
  // Packed, a large study is a short message.
  const large = `(;GM[2]C[${'All of this is said of it. '.repeat(4_000)}];B[f5])`
  expect(large.length).toBeGreaterThan(100_000)
  await page.goto(`${server.url}/#/s/${packed(large)}`)
  await expect(page).toHaveURL(/#\/study\/\w+|#\/s\//)
  await expect(page.getByTestId('tree').or(page.getByRole('alert'))).toBeVisible()
  expect(lines).toBe(1)
})

test('a damaged link says so and leads on', async ({ table, server }) => {
  const { page } = table
  for (const [code, sentence] of [
    ['1eJxLM00xSzZNM0k1TzNLN001SzUGADR9BW', 'This link is damaged: a part of it is missing or was changed. Ask for it once more.'],
    ['1', 'This link is damaged: a part of it is missing or was changed. Ask for it once more.'],
    ['9abc', 'This link was made by a newer Outflank. Open it where that runs.'],
  ] as const) {
    await page.goto('about:blank')
    await page.goto(`${server.url}/#/s/${code}`)
    await expect(page.getByRole('alert')).toHaveText(sentence)
    expect(await violations(page)).toEqual([])
  }
  await page.getByRole('link', { name: 'To the start' }).click()
  await expect(page.locator('.ways')).toBeVisible()
})

test('the picture is a PNG twice as large as its drawing, and the drawing an SVG', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  await openShare(page)
  const saved = async (name: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(new RegExp(`^outflank-\\w+\\.${name.toLowerCase()}$`))
    return readFileSync(await file.path())
  }
  const svg = (await saved('SVG')).toString()
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  const png = await saved('PNG')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * Number(width), 2 * Number(height)])
  // A board was painted, not an empty sheet: several colours of it, read back by the browser.
  const colours = await page.evaluate(async (data) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    const seen = new Map<number, number>()
    for (let i = 0; i < pixels.length; i += 4) {
      const colour = ((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0)
      seen.set(colour, (seen.get(colour) ?? 0) + 1)
    }
    return [...seen.values()].filter((count) => count > 2000).length
  }, png.toString('base64'))
  expect(colours).toBeGreaterThanOrEqual(3)
})

for (const language of ['en', 'es']) {
  test(`axe finds nothing wrong, and it fits a phone (${language})`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize({ width: 360, height: 640 })
    await page.addInitScript(
      (language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language, speed: 'none', sound: false })),
      language,
    )
    await table.begin(server.url)
    await table.play(GAMES.wipeOut)
    await openShare(page)
    await link(page)
    expect(await violationsInEveryLook(page)).toEqual([])
    expect(await page.locator('dialog').innerText()).not.toContain('page-')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.getByRole('button', { name: /Copy the link|Copiar el enlace/ }).click()
    await expect(page.getByTestId('share').locator('.told')).not.toBeEmpty()
  })
}
