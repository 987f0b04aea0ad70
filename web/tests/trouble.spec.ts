// What is seen when something is wrong or unusual: late, cut off, forced colours, long names, a window magnified four times.
import { playOut, scriptedComputer } from './computer.ts'
import { Server } from './server.ts'
import { expect, GAMES, test, type Table } from './table.ts'

/** What a bar looks like where it is most telling. */
async function looks(table: Table, colour: 'black' | 'white'): Promise<{ clock: string; border: string; bar: string }> {
  return table.bar(colour).evaluate((bar) => ({
    clock: getComputedStyle(bar.querySelector('.clock')!).backgroundColor,
    border: getComputedStyle(bar).borderTopColor,
    bar: getComputedStyle(bar).backgroundColor,
  }))
}

test('overtime looks more alarming than little time, and stays so', async ({ table, server }) => {
  await table.begin(server.url, async (page) => {
    await page.getByRole('radio', { name: 'Custom' }).check()
    await page.getByRole('radio', { name: 'Fixed' }).check()
    await page.getByLabel('Minutes for each player').fill('0.1')
    await page.getByRole('radio', { name: 'Two more minutes' }).check()
  })
  await table.play('f5')
  await expect(table.bar('white').locator('.low')).toBeVisible()
  const low = await looks(table, 'white')
  await expect(table.bar('white')).toContainText('overtime', { timeout: 15_000 })
  const over = await looks(table, 'white')
  // The clock is as red as before, and now the whole bar is in alarm.
  expect(over.clock).toBe(low.clock)
  expect(over.border).not.toBe(low.border)
  expect(over.bar).not.toBe(low.bar)
  await table.play('d6')
  // Also when it does not run.
  await expect.poll(() => looks(table, 'white')).toEqual(over)
})

for (const size of [
  { width: 360, height: 640 },
  { width: 640, height: 360 },
  { width: 1280, height: 800 },
]) {
  test(`a lost server is told in a place where it covers nothing (${size.width}×${size.height})`, async ({ table }) => {
    const own = new Server()
    await own.start()
    try {
      const { page } = table
      await page.setViewportSize(size)
      await table.begin(own.url)
      await table.play('f5d6c5')
      await page.getByRole('button', { name: 'One move back' }).click()
      await own.kill()
      await expect(page.getByRole('alert')).toContainText('Connection lost.')
      const over = await page.evaluate(() => {
        const banner = document.querySelector('[role=alert]')!.getBoundingClientRect()
        return ['[role=grid]', '.list', '.controls', '.status', '.bar', '.prev', '.next'].filter((name) =>
          [...document.querySelectorAll(`main ${name}`)]
            .map((element) => element.getBoundingClientRect())
            .some((box) => box.top < banner.bottom - 1 && box.bottom > banner.top + 1 && box.left < banner.right - 1 && box.right > banner.left + 1),
        )
      })
      expect(over).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
      // No picture is asked of a server that is away.
      await page.goto(`${page.url().split('#')[0]}#/games`)
      await expect(page.locator('img')).toHaveCount(0)
    } finally {
      await own.stop()
    }
  })
}

test('forced colours: black and white stay black and white, and the player to move is marked', async ({ table, server }) => {
  const { page } = table
  await page.emulateMedia({ forcedColors: 'active' })
  await table.begin(server.url)
  await table.play('f5d6')
  const paint = (selector: string) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).background)
  for (const where of ['.bar .dot', 'li .dot']) expect(await paint(`${where}.black`), where).not.toBe(await paint(`${where}.white`))
  expect(await paint('.board .face.black')).not.toBe(await paint('.board .face.white'))
  const outline = (colour: 'black' | 'white') => table.bar(colour).evaluate((bar) => getComputedStyle(bar).outlineStyle)
  expect([await outline('black'), await outline('white')]).toEqual(['solid', 'none'])
  const current = page.locator('[aria-current=step]')
  expect(await current.evaluate((element) => getComputedStyle(element).background)).not.toBe(await paint('li button:not([aria-current])'))
})

test('forced colours: the button that stops the quiet game can be seen', async ({ page }) => {
  const own = new Server()
  await own.start()
  try {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(own.url)
    const stop = page.getByRole('button', { name: 'Stop the game on the board' })
    await expect(stop).toBeVisible()
    expect(await stop.evaluate((button) => getComputedStyle(button).color)).toBe('rgb(255, 255, 255)')
  } finally {
    await own.stop()
  }
})

test('names of 24 letters are read whole, in every window', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url, async (start) => {
    await start.locator('#black-name').fill('Maximiliana de la Fuente')
    await start.locator('#white-name').fill('Bartholomäus Wohlgemuth1')
    await start.getByRole('radio', { name: 'Tournament' }).check()
  })
  for (const [width, height] of [
    [360, 640],
    [390, 844],
    [640, 360],
    [640, 400],
    [900, 860],
    [1024, 768],
    [1280, 800],
    [2560, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.bar')].flatMap((bar) => {
        const [outer, name] = [bar.getBoundingClientRect(), bar.querySelector('.name')!]
        const range = document.createRange()
        range.selectNodeContents(name)
        const text = range.getBoundingClientRect()
        const count = bar.querySelector('.count')!.getBoundingClientRect()
        // Beside the number, or above it.
        const clear = text.right <= count.left || text.bottom <= count.top + 4
        return text.top >= outer.top && text.bottom <= outer.bottom && text.right <= outer.right && clear ? [] : [name.textContent]
      }),
    )
    expect(cut, `${width}×${height}`).toEqual([])
  }
})

/** Looks at the buttons under the board in every window and language: while playing, looking back, and at an end with a harder level to try. */
async function inEveryWindow(table: Table, url: string, wrong: () => string[]): Promise<void> {
  const { page } = table
  const computer = await scriptedComputer(page)
  for (const language of ['en', 'es']) {
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language, speed: 'none' })), language)
    await table.begin(url)
    await playOut(table, computer, GAMES.wipeOut.slice(0, 6))
    const look = async (scene: string) => {
      for (const [width, height] of [
        [320, 568],
        [360, 640],
        [390, 844],
        [640, 360],
        [640, 400],
        [860, 800],
        [900, 860],
        [1000, 860],
        [1024, 768],
        [1280, 800],
      ] as const) {
        await page.setViewportSize({ width, height })
        expect(await page.evaluate(wrong), `${language}, ${width}×${height}, ${scene}`).toEqual([])
      }
    }
    await look('playing')
    await page.locator('main button.prev').click()
    await look('looking back')
    await page.locator('main button.next').click()
    await playOut(table, computer, GAMES.wipeOut.slice(6))
    await expect(table.result).toBeVisible()
    await expect(page.locator('.controls .button')).toHaveCount(5)
    await look('over')
  }
}

test('no label leaves its button, in any window', async ({ table, server }) => {
  await inEveryWindow(table, server.url, () =>
    [...document.querySelectorAll<HTMLElement>('.controls .button')].flatMap((button) => {
      const [box, label] = [button.getBoundingClientRect(), [...button.querySelectorAll('span')].find((span) => span.offsetWidth > 0)!]
      const range = document.createRange()
      range.selectNodeContents(label)
      const text = range.getBoundingClientRect()
      const inside = text.left >= box.left - 1 && text.right <= box.right + 1 && text.top >= box.top - 1 && text.bottom <= box.bottom + 1
      return inside && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1 ? [] : [label.textContent]
    }),
  )
})

test('no label breaks inside a word, in any window', async ({ table, server }) => {
  await inEveryWindow(table, server.url, () =>
    [...document.querySelectorAll<HTMLElement>('.controls .button span')].flatMap((label) => {
      const text = label.firstChild!
      return [...text.textContent!.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        return new Set([...range.getClientRects()].map((line) => line.top)).size > 1 ? [word] : []
      })
    }),
  )
})

test('no score breaks across lines, in any window', async ({ table, server }) => {
  const { page } = table
  for (const language of ['en', 'es']) {
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language, speed: 'none' })), language)
    await table.begin(server.url, async (start) => {
      await start.locator('#black-name').fill('Ana')
      await start.locator('#white-name').fill('Luis')
    })
    await table.play('f5d6c5')
    await page.getByRole('button', { name: language === 'en' ? 'Resign' : 'Abandonar' }).click()
    await page.getByRole('dialog').locator('.danger').last().click()
    await expect(table.result).toBeVisible()
    for (let width = 320; width <= 1280; width += 16) {
      await page.setViewportSize({ width, height: width < 600 ? 700 : 400 })
      const broken = await table.result.locator('h2, p').evaluateAll((lines) =>
        lines.flatMap((line) => {
          const texts = document.createNodeIterator(line, NodeFilter.SHOW_TEXT)
          // Where each letter stands, whatever elements the words are made of.
          const letters: { letter: string; top: number }[] = []
          for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            for (let i = 0; i < text.textContent!.length; i++) {
              const range = document.createRange()
              range.setStart(text, i)
              range.setEnd(text, i + 1)
              letters.push({ letter: text.textContent![i]!, top: Math.round(range.getBoundingClientRect().top) })
            }
          }
          const all = letters.map(({ letter }) => letter).join('')
          return [...all.matchAll(/\d+–\d+/g)].flatMap(({ 0: score, index }) =>
            new Set(letters.slice(index, index + score.length).map(({ top }) => top)).size > 1 ? [score] : [],
          )
        }),
      )
      expect(broken, `${language}, ${width} wide`).toEqual([])
    }
  }
})

test('the end of a game leaves the board as large as it was, with a harder level to try too', async ({ table, server }) => {
  const { page } = table
  const computer = await scriptedComputer(page)
  const sides = async () => {
    const found: Record<string, number> = {}
    for (const [width, height] of [
      [360, 640],
      [390, 844],
      [640, 360],
      [640, 400],
      [860, 800],
      [900, 860],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      found[`${width}×${height}`] = (await page.getByRole('grid').boundingBox())!.width
    }
    return found
  }
  for (const language of ['en', 'es']) {
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language, speed: 'none' })), language)
    await table.begin(server.url)
    const before = await sides()
    await playOut(table, computer, GAMES.wipeOut)
    await expect(page.locator('.controls .button')).toHaveCount(5)
    expect(await sides(), language).toEqual(before)
  }
})

test('a winner with a long name leaves the board of a phone as large as it was', async ({ table, server }) => {
  const { page } = table
  await page.setViewportSize({ width: 390, height: 844 })
  for (const language of ['en', 'es']) {
    await page.addInitScript((language) => localStorage.setItem('outflank.prefs', JSON.stringify({ language, speed: 'none' })), language)
    await table.begin(server.url, async (start) => {
      await start.locator('#black-name').fill('Maximiliana de la Fuente')
      await start.locator('#white-name').fill('Bartholomäus Wohlgemuth1')
    })
    const side = async () => (await page.getByRole('grid').boundingBox())!.width
    const before = await side()
    await table.hurry(GAMES.early)
    await expect(table.result).toBeVisible()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await side(), language).toBe(before)
  }
})

test('magnified four times, the board can still be played on', async ({ table, server }) => {
  const { page } = table
  await page.setViewportSize({ width: 320, height: 200 })
  await table.begin(server.url)
  const box = (await table.square('f5').boundingBox()) ?? { width: 0 }
  expect(box.width).toBeGreaterThanOrEqual(36)
  await table.play('f5d6')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('the column beside the board ends where the board does', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [2560, 1080],
    [3840, 2160],
  ] as const) {
    await page.setViewportSize({ width, height })
    const apart = () =>
      page.evaluate(() => {
        const [board, column] = ['[role=grid]', '.controls'].map((name) => document.querySelector(`main ${name}`)!.getBoundingClientRect().bottom)
        return Math.abs(board! - column!)
      })
    // The board takes its measure when the window is drawn.
    await expect.poll(apart, `${width}×${height}`).toBeLessThanOrEqual(8)
  }
})

test('where marks are off nobody is sent to a marked square', async ({ table, server }) => {
  const { page } = table
  await page.addInitScript(() => localStorage.setItem('outflank.prefs', JSON.stringify({ legal: false })))
  await table.begin(server.url)
  await table.square('a1').click()
  await expect(table.status).toHaveText('a1 would turn nothing.')
})

test('high contrast: the disc of the shown move stands out from its row', async ({ table, server }) => {
  const { page } = table
  await page.addInitScript(() => localStorage.setItem('outflank.prefs', JSON.stringify({ theme: 'contrast' })))
  await table.begin(server.url)
  await table.play('f5d6')
  const [row, dot, edge] = await page.locator('[aria-current=step]').evaluate((button) => {
    const disc = getComputedStyle(button.querySelector('.dot')!)
    return [getComputedStyle(button).backgroundColor, disc.backgroundColor, disc.borderTopColor]
  })
  // White on yellow is hardly seen: the edge is what tells it from the row.
  expect(edge).toBe('rgb(0, 0, 0)')
  expect([row, dot]).toEqual(['rgb(255, 225, 77)', 'rgb(251, 249, 242)'])
})

test.describe('by thumb', () => {
  test.use({ isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } })
  test('nothing stays lit that a finger has touched', async ({ table, server }) => {
    const { page } = table
    await page.goto(server.url)
    const card = page.locator('[aria-controls=way-two]')
    const paint = () => card.evaluate((element) => getComputedStyle(element).backgroundColor)
    const before = await paint()
    await card.tap()
    await expect(page.locator('#way-two')).toBeVisible()
    expect(await paint()).toBe(before)
  })
})
