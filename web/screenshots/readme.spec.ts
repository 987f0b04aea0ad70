// The pictures in the README, taken from the real page.
import { fileURLToPath } from 'node:url'
import { expect, Table, test } from '../tests/table.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

/** A game in full swing. */
const OPENING = 'e6d6c4f6c7c6c5b3d7c3e3f4g3d8e7f7f3e8f5g4g5g6d3c2b4a4d2'

async function names(page: Table['page'], black: string, white: string): Promise<void> {
  await page.locator('#black-name').fill(black)
  await page.locator('#white-name').fill(white)
}

test('desktop', async ({ table, server }) => {
  await table.page.setViewportSize({ width: 1024, height: 640 })
  await table.begin(server.url, async (page) => {
    await names(page, 'Ana', 'Luis')
    await page.getByRole('radio', { name: 'Club' }).check()
  })
  await table.play(OPENING)
  const [first] = await table.legal()
  await table.square(first ?? 'a1').hover()
  await expect(table.page.locator('.moving > *')).toHaveCount(0)
  await table.page.screenshot({ path: `${docs}desktop.png` })
})

test.describe('phone', () => {
  test.use({ locale: 'es-ES', colorScheme: 'dark', viewport: { width: 360, height: 640 }, hasTouch: true })
  test('phone', async ({ table, server }) => {
    await table.begin(server.url, async (page) => {
      await names(page, 'Ana', 'Luis')
      await page.getByRole('radio', { name: 'Torneo' }).check()
    })
    await table.play('d3c3f5d2d1e1b3c1', (square) => square.tap())
    await expect(table.notice).toBeVisible()
    await expect(table.page.locator('.moving > *')).toHaveCount(0)
    await table.page.mouse.move(0, 0)
    await table.page.screenshot({ path: `${docs}phone.png` })
  })
})
