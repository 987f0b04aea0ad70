// How it looks, fits and answers: no rule of accessibility broken, no scroll bar, no jump, no request to elsewhere.
import { violationsInEveryLook } from './axe.ts'
import { expect, GAMES, test } from './table.ts'

for (const language of ['en', 'es']) {
  test(`axe finds nothing wrong on any page (${language})`, async ({ table, server }) => {
    const { page } = table
    const check = async (where: string) => expect(await violationsInEveryLook(page), where).toEqual([])
    await page.addInitScript(
      (language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language, speed: 'none' })),
      language,
    )
    await page.goto(server.url)
    for (const way of ['two', 'computer', 'nearby']) {
      await page.locator(`[aria-controls=way-${way}]`).click()
      if (way === 'two') await page.locator('#way-two input[type=radio]').last().check()
      await expect(page.locator(`#way-${way}`)).toBeVisible()
      await check(`start, ${way}`)
    }
    await page.locator('#way-nearby button[type=submit]').click()
    const door = page.getByRole('button', { name: language === 'es' ? 'Permitir el acceso desde mi red' : 'Open to my network' })
    await expect(door.or(page.getByRole('img', { name: /QR/ }))).toBeVisible()
    if (await door.isVisible()) {
      await check('the closed door')
      await door.click()
    }
    await expect(page.getByRole('img', { name: /QR/ })).toBeVisible()
    await check('waiting')
    // The next game as at first, not as the last one.
    await page.evaluate(() => localStorage.removeItem('outflank.choices'))
    await table.begin(server.url)
    await check('new game')
    await table.play(GAMES.pass)
    await check('pass')
    await table.square('a1').click()
    await page.locator('main button.prev').click()
    await check('looking back')
    await page.locator('.controls .button').click()
    for (const [open, where] of [
      ['header nav button:last-child', 'settings'],
      ['.controls .button:nth-child(3)', 'resign'],
      ['.controls .button:nth-child(4)', 'new game dialog'],
    ] as const) {
      await page.locator(open).click()
      await expect(page.locator('dialog')).toBeVisible()
      await check(where)
      await page.keyboard.press('Escape')
      await expect(page.locator('dialog')).toHaveCount(0)
    }
    await page.keyboard.press('?')
    await check('keys')
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog')).toHaveCount(0)
    await page.locator('.controls .button:nth-child(3)').click()
    await page.locator('dialog .danger').first().click()
    await expect(table.result).toBeVisible()
    await check('end')
    await page.getByTestId('save').click()
    await check('save')
    await page.goto(`${server.url}/#/games`)
    await expect(page.locator('li').first()).toBeVisible()
    await check('games')
    await page.goto(`${server.url}/#/how-to-play`)
    await expect(page.locator('figure').first()).toBeVisible()
    await check('how to play')
  })
}

const SIZES = [
  { width: 360, height: 640 },
  { width: 640, height: 360 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  // 1280 × 800 at 200 %
  { width: 640, height: 400 },
]

for (const language of ['en', 'es']) {
  test(`the game fits every window, and what one presses is at least 44 px (${language})`, async ({ table, server }) => {
    const { page } = table
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language })), language)
    await table.begin(server.url, async (start) => {
      await start.locator('#black-name').fill('Maximiliana de la Fuente')
      await start.locator('#white-name').fill('W')
      await start.locator('#way-two input[type=radio]').nth(1).check()
    })
    await table.play(GAMES.wipeOut.slice(0, 16))
    for (const over of [false, true]) {
      if (over) await table.play('e3')
      for (const size of SIZES) {
        await page.setViewportSize(size)
        // The board takes its measure when the window is drawn.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        const where = `${size.width}×${size.height}${over ? ', over' : ''}`
        const found = await page.evaluate(() => {
          const felt = document.querySelector('[role=grid]')!.getBoundingClientRect()
          const small = [...document.querySelectorAll<HTMLElement>('main button, main a, main input')]
            .filter((element) => element.checkVisibility() && !element.closest('ol'))
            .map((element) => ({ box: element.getBoundingClientRect(), name: element.getAttribute('aria-label') ?? element.textContent }))
            .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
            .map(({ box, name }) => `${name}: ${box.width} × ${box.height}`)
          const outside = [...document.querySelectorAll('main .bar, main .controls, main .status, [role=grid]')]
            .map((element) => element.getBoundingClientRect())
            .some((box) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
          // What is said lies between the player and the moves, and covers neither.
          const words = document.querySelector('.status > *')!.getBoundingClientRect()
          const covered = ['.list', '.bar', '.controls'].some((name) =>
            [...document.querySelectorAll(`main ${name}`)]
              .map((element) => element.getBoundingClientRect())
              .some((box) => box.top < words.bottom - 1 && box.bottom > words.top + 1 && box.left < words.right - 1 && box.right > words.left + 1),
          )
          const root = document.documentElement
          return {
            covered,
            scroll: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
            square: Math.abs(felt.width - felt.height) < 1,
            small,
            outside,
          }
        })
        expect(found, where).toEqual({ covered: false, scroll: false, square: true, small: [], outside: false })
      }
    }
  })
}

test('reduced motion: no disc turns, and the move is shown all the same', async ({ table, server }) => {
  await table.page.emulateMedia({ reducedMotion: 'reduce' })
  await table.begin(server.url)
  await table.square('f5').click()
  await expect(table.square('e5')).toHaveAttribute('data-disc', 'black')
  await expect(table.page.locator('.turner')).toHaveCount(0)
})

test('the first page comes in one round of requests, without a jump, from here alone', async ({ table, server }) => {
  const { page } = table
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { shifts: number }
    seen.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        // What opens under the hand that asked for it is no jump.
        if (!entry.hadRecentInput) seen.shifts += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await table.begin(server.url)
  await table.play('f5d6c5f4')
  await page.waitForTimeout(400)
  expect(await page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts)).toBeLessThan(0.01)
  const assets = asked.filter((path) => path.endsWith('.js') || path.endsWith('.css'))
  expect(assets.length).toBe(3)
  const script = asked.find((path) => path.startsWith('/assets/') && path.endsWith('.js')) ?? ''
  const size = (await fetch(server.url + script, { headers: { 'accept-encoding': 'br' } })).headers.get('content-length') ?? '0'
  console.log(`    JavaScript: ${(Number(size) / 1000).toFixed(1)} kB compressed`)
  expect(Number(size)).toBeGreaterThan(10_000)
  expect(Number(size)).toBeLessThan(50_000)
})
