// A hint says why, where a search has found it.
import { violations } from './axe.ts'
import { expect, test } from './table.ts'

/** Twelve squares are empty, and most moves give a corner away. */
const GAME = 'f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1'

for (const [language, size] of [
  ['en', { width: 1280, height: 800 }],
  ['es', { width: 360, height: 640 }],
] as const) {
  test(`a hint, and a moment later what speaks for it (${language}, ${size.width})`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize(size)
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none', sound: false, language })), language)
    await table.begin(server.url)
    await table.hurry(GAME)
    await page.keyboard.press('i')
    const remark = page.getByTestId('remark')
    await expect(remark).toHaveText(language === 'es' ? /^[a-h][1-8] es una buena jugada\. .*(esquina|rival)/ : /^[a-h][1-8] is a good move\. .*(corner|opponent)/)
    await expect(page.getByTestId('polite')).toContainText(language === 'es' ? 'rival' : 'opponent')
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
    // It goes with the next move.
    await table.square((await table.legal())[0] ?? '').click()
    await expect(remark).toHaveCount(0)
  })
}

test('the words of a reason are not loaded before there is one', async ({ table, server }) => {
  const loaded: string[] = []
  table.page.on('response', (response) => loaded.push(response.url()))
  await table.begin(server.url)
  await table.play('f5')
  expect(loaded.length).toBeGreaterThan(3)
  expect(loaded.filter((url) => /reason/.test(url))).toEqual([])
})
