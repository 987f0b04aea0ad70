// The study: what a newcomer does in their first minute, and everything a board for study has to do.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { violationsInEveryLook } from './axe.ts'
import { Server } from './server.ts'
import { expect, GAMES, squares, Table, test, type Page } from './table.ts'

/** Two levels of the program play; Black's b7, the 41st move, gives a corner away. */
const GAME =
  'f5d6c6f4f3b6c7f6e6d8c3g3h3c5c4e3g6b4a5a3b3d2a4a6e2g5d3f7h6g4h5h4c1a2b5g7h8h7d7e8b7e7b8c8a8c2b1g2f1g1h1h2g8f8b2a1a7d1f2e1'

const walk = (page: Page) => page.getByTestId('walk')
const tree = (page: Page) => page.getByTestId('tree')

async function remember(page: Page, prefs: object = {}): Promise<void> {
  await page.addInitScript((prefs) => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none', sound: false, ...prefs })), prefs)
}

/** A study of these moves, on its board and not in its review. */
async function study(page: Page, url: string, moves: string): Promise<void> {
  await page.goto(`${url}/#/study`)
  await page.locator('#paste').fill(moves)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(/#\/study\/[a-z0-9]+\/(\d+|review)/)
  if (/review/.test(page.url())) await page.keyboard.press('Escape')
  await expect(page.getByTestId('engine')).toBeVisible()
}

/** Where the reader is, from the address: the node of the tree. */
const node = (page: Page) => Number(/\/(\d+)$/.exec(page.url())?.[1])

for (const [name, size, language] of [
  ['desktop', { width: 1280, height: 800 }, 'en'],
  ['phone', { width: 390, height: 844 }, 'es'],
] as const) {
  test(`a newcomer pastes a game, finds the worst move, sees why, and tries again from there (${name}, ${language})`, async ({ table, server }) => {
    const { page } = table
    await remember(page, { language })
    await page.setViewportSize(size)
    const began = Date.now()
    await page.goto(server.url)
    await page.getByRole('link', { name: language === 'es' ? 'Estudio' : 'Study' }).click()
    // Pasting is enough: nothing else has to be pressed.
    await page.locator('#paste').focus()
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    }, GAME)
    // The worst move is the first thing said, and it is marked on the board.
    const title = walk(page).locator('h2')
    await expect(title).toContainText(/b7/, { timeout: 30_000 })
    await expect(title).toContainText(language === 'es' ? 'Jugada 41, Negro' : 'Move 41, Black')
    await expect(table.square('b7')).toHaveAttribute('aria-label', language === 'es' ? /jugada en la partida/ : /played in the game/)
    // Why: in words, and on the board.
    await walk(page).getByRole('button', { name: language === 'es' ? '¿Por qué?' : 'Why?' }).click()
    await expect(page.getByTestId('reason')).toBeVisible()
    await expect(table.square('b7')).toHaveAttribute('data-disc', /black|white/)
    // Try it again from there: the computer answers.
    await walk(page).getByRole('button', { name: language === 'es' ? 'Pruébalo tú' : 'Try it yourself' }).click()
    await expect(table.square('b7')).toHaveAttribute('data-disc', '')
    const [first = ''] = await table.legal()
    await table.square(first).click()
    await expect(page.getByTestId('trial')).toContainText(first)
    await expect(page.getByTestId('caption')).toContainText(language === 'es' ? 'Juega Negro' : 'Black to move', { timeout: 20_000 })
    // A key of the walk leaves the trial alone.
    const board = await table.board()
    await page.keyboard.press('w')
    await expect(page.getByTestId('trial')).toBeVisible()
    expect(await table.board()).toBe(board)
    console.log(`    the newcomer's way took ${((Date.now() - began) / 1000).toFixed(1)} s on ${name}`)
    expect(Date.now() - began).toBeLessThan(60_000)
  })
}

test('after a game, one tap leads to what decided it, and to the same study the second time', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await table.begin(server.url)
  await table.play(GAMES.wipeOut)
  const game = page.url()
  await page.getByRole('link', { name: 'What decided it?' }).click()
  await expect(page).toHaveURL(/#\/study\/[a-z0-9]+\/\d+$/)
  await expect(tree(page).locator('[data-node]')).toHaveCount(9)
  // Nine moves are no game to be walked through without being asked.
  await page.getByRole('button', { name: 'What decided it?' }).click()
  await expect(walk(page).locator('h2')).toContainText(/Move \d, (Black|White)|No mistakes/, { timeout: 30_000 })
  const made = /study\/([a-z0-9]+)/.exec(page.url())?.[1]
  await page.goto(game)
  await page.getByRole('link', { name: 'What decided it?' }).click()
  await expect(page).toHaveURL(new RegExp(`/study/${made}/review`))
})

test('the walk: why, what was better, next, and three sentences at the end; board, list and curve say the same', async ({ table, server }) => {
  // The whole review, to its end, on whatever machine this is.
  test.setTimeout(180_000)
  const { page } = table
  await remember(page)
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill(GAME)
  await page.locator('form button[type=submit]').click()
  await expect(walk(page)).toHaveAttribute('data-review', 'done', { timeout: 150_000 })
  const title = await walk(page).locator('h2').innerText()
  const [, number = '', square = '', lost = ''] = /Move (\d+), \w+: (\w\d) lost (\d+)/.exec(title) ?? []
  // The list marks the same move and says the same loss.
  const row = tree(page).locator('button', { hasText: square }).filter({ hasText: `${number}` }).first()
  await expect(row).toContainText(`${lost} disc`)
  await expect(row.locator('.glyph')).toHaveText(new RegExp(`^\\?.*−${lost}$`))
  await expect(walk(page).locator('.count')).toContainText(/blunder|mistake/)
  // The address is the walk's, at this move.
  await expect(page).toHaveURL(new RegExp(`/review/${number}$`))
  await walk(page).getByRole('button', { name: 'What was better?' }).click()
  const best = /^(\w\d) keeps (\d+)/.exec(await page.getByTestId('better').innerText())
  expect(best?.[2]).toBe(lost)
  await expect(walk(page).getByTestId('line').locator('button').first()).toHaveText(best?.[1] ?? '')
  // The values of both are on the board at the beginning of the line, and differ by what was lost.
  await page.keyboard.press('Home')
  const worth = async (name: string) => Number((/worth ([+−]?\d+)/.exec((await table.square(name).getAttribute('aria-label')) ?? '')?.[1] ?? '').replace('−', '-'))
  expect((await worth(best?.[1] ?? '')) - (await worth(square))).toBe(Number(lost))
  // A marked move of the list is a stop, also one that the walk passes by.
  const marked = tree(page).locator('button', { has: page.locator('.glyph:not(.unsure)') }).last()
  const [, last = ''] = /^\s*(\d+)/.exec(await marked.innerText()) ?? []
  await marked.click()
  await expect(walk(page).locator('h2')).toContainText(`Move ${last},`)
  // To the end.
  while (await walk(page).getByRole('button', { name: 'Next', exact: true }).isVisible()) await page.keyboard.press('n')
  await expect(page.getByTestId('summary').locator('p')).toHaveCount(3)
  expect(await violationsInEveryLook(page), 'the end').toEqual([])
  await expect(walk(page).getByRole('table', { name: 'Moves that lost too much' }).getByRole('columnheader', { name: 'blunders' })).toBeVisible()
  // What decided it is a press away.
  const [, turn = ''] = /decided at move (\d+)/.exec(await page.getByTestId('summary').innerText()) ?? []
  await page.getByTestId('summary').getByRole('button').click()
  await expect(walk(page).locator('h2')).toContainText(`Move ${turn},`)
  // Loaded again it is there at once, without being looked for again.
  await page.reload()
  await expect(walk(page)).toHaveAttribute('data-review', 'done')
})

/** Stands between the page and the server: what goes either way is shown to these first, and goes on unless they keep it. */
async function between(page: Page, seen: { told?: (message: Told, send: (message: object) => void) => boolean; asked?: (message: Told, answer: (message: object) => void) => boolean }): Promise<void> {
  await page.routeWebSocket(/\/api\/socket/, (near) => {
    const far = near.connectToServer()
    const send = (message: object) => near.send(JSON.stringify(message))
    near.onMessage((text) => void (seen.asked?.(JSON.parse(String(text)) as Told, send) || far.send(text)))
    far.onMessage((text) => void (seen.told?.(JSON.parse(String(text)) as Told, send) || near.send(text)))
  })
}
type Told = { type: string; id?: string; stage?: string; edit?: { kind: string }; report?: { moves: { mark: string | null }[] } }

test('while a review runs the reader steps about and is not pulled back', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  let again = () => {}
  await between(page, {
    // The first report with a mistake in it, and then the same whenever the test says so.
    told: (message, send) => {
      if (message.type !== 'review') return false
      if (!message.report?.moves.some(({ mark }) => mark === '??')) return true
      again = () => send({ ...message, stage: 'first', progress: Math.random() })
      return false
    },
  })
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill(GAME)
  await page.locator('form button[type=submit]').click()
  await expect(walk(page).locator('h2')).toContainText('Move ', { timeout: 30_000 })
  const current = tree(page).locator('[aria-current]')
  const before = await current.innerText()
  await page.keyboard.press('ArrowRight')
  await expect(current).not.toHaveText(before)
  const stepped = await current.innerText()
  const shown = walk(page).locator('progress')
  for (let i = 0; i < 3; i++) {
    const progress = await shown.getAttribute('value')
    again()
    await expect(shown).not.toHaveAttribute('value', progress ?? '')
    expect(await current.innerText()).toBe(stepped)
  }
})

test('a review that is stopped says how far it came, and goes on', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  let open = false
  await between(page, { told: (message) => message.type === 'review' && !open && (message.stage !== 'first' || message.report?.moves.length !== 0) })
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill(GAME)
  await page.locator('form button[type=submit]').click()
  await expect(walk(page).locator('progress')).toBeVisible()
  await walk(page).getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(walk(page)).toContainText('0 of 60 moves looked at.')
  await expect(walk(page)).not.toContainText('No mistakes found')
  open = true
  await walk(page).getByRole('button', { name: 'Go on' }).click()
  await expect(walk(page).locator('h2')).toContainText('b7', { timeout: 30_000 })
})

test('a comment is kept as it is typed, and when the server does not take it', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  let refuse = false
  await between(page, {
    asked: (message, answer) => {
      if (!refuse || message.edit?.kind !== 'comment') return false
      answer({ type: 'refused', id: message.id, why: 'not_saved', text: '' })
      return true
    },
  })
  await study(page, server.url, 'f5d6c3d3c4')
  const field = page.getByLabel('Comment on this position')
  await field.focus()
  await page.keyboard.type('Two ')
  await expect(tree(page)).toContainText('Two')
  await page.keyboard.type('words\n')
  await expect(tree(page)).toContainText('Two words')
  await expect(field).toHaveValue('Two words\n')
  // Refused: it is said, and the text is there when the reader comes back.
  refuse = true
  await page.keyboard.type('and more')
  await field.blur()
  await expect(page.getByText('Not saved yet.')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(field).toHaveValue('')
  await page.keyboard.press('ArrowLeft')
  await expect(field).toHaveValue('Two words\nand more')
  refuse = false
  await page.getByRole('button', { name: 'Save again' }).click()
  await expect(tree(page)).toContainText('and more')
  await expect(page.getByText('Not saved yet.')).toHaveCount(0)
})

test('a study is saved as a file, and its moves and its board are copied', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await study(page, server.url, 'f5d6c3')
  await page.getByLabel('Comment on this position').fill('Nothing yet')
  await page.getByLabel('Comment on this position').blur()
  await expect(tree(page)).toContainText('Nothing yet')
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByTestId('share')
  for (const [name, has] of [['SGF', /Nothing yet/], ['GGF', /^\(;GM\[Othello\]/]] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name }).click()])
    expect(file.suggestedFilename()).toMatch(new RegExp(`^outflank-\\w+\\.${name.toLowerCase()}$`))
    expect(readFileSync(await file.path(), 'utf8')).toMatch(has)
  }
  await dialog.getByRole('button', { name: 'Moves' }).click()
  await expect(page.getByTestId('copied')).toHaveText('f5d6c3')
  await dialog.getByRole('button', { name: 'Board' }).click()
  await expect(page.getByTestId('copied')).toHaveText(/^[-XO]{64} O$/)
  expect(await violationsInEveryLook(page)).toEqual([])
})

test('where no move is left to stop at, what was chosen can be chosen differently; and a review goes deeper if asked', async ({ table, server }) => {
  test.setTimeout(240_000)
  const { page } = table
  await remember(page)
  await study(page, server.url, GAME.slice(0, 20))
  await page.getByRole('button', { name: 'What decided it?' }).click()
  await expect(walk(page)).toHaveAttribute('data-review', 'done', { timeout: 100_000 })
  const settings = walk(page).getByRole('button', { name: 'Whose moves, and what counts as a mistake' })
  await settings.click()
  // What was found is only called something else: nothing is searched again.
  const stages: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as { type: string; stage?: string }
      if (message.type === 'review') stages.push(message.stage ?? '')
    }),
  )
  await page.reload()
  await settings.click()
  for (const name of [/^Good/, /^Inaccuracy/, /^Mistake/]) await walk(page).getByRole('spinbutton', { name }).fill('60')
  await walk(page).getByRole('button', { name: 'Use these' }).click()
  await expect(walk(page).locator('h2')).toHaveText('No mistakes found')
  await expect(walk(page)).toHaveAttribute('data-review', 'done')
  expect(stages).toEqual(['done'])
  await expect(walk(page).getByRole('spinbutton', { name: /^Good/ })).toBeVisible()
  // Deeper, if asked: with progress, and what is known stays until it is.
  await walk(page).getByRole('button', { name: 'Look deeper' }).click()
  await expect(walk(page).locator('progress')).toBeVisible()
  await walk(page).getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(walk(page).locator('h2')).toHaveText('No mistakes found')
})

test('values on every square that can be played, the best marked, and they deepen', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await study(page, server.url, 'f5d6c3d3c4')
  await page.keyboard.press('End')
  const legal = await table.legal()
  expect(legal.length).toBeGreaterThan(3)
  for (const square of legal) await expect(table.square(square)).toHaveAttribute('aria-label', /worth [+−]?\d.*(proven|moves ahead, \d+ % sure, give or take \d+ disc)/)
  await expect(page.locator('[aria-label*=", best"]')).not.toHaveCount(0)
  const depth = async () => Number(/\d+/.exec(await page.getByTestId('engine').locator('b').innerText())?.[0])
  const first = await depth()
  await expect.poll(depth, { timeout: 20_000 }).toBeGreaterThan(first)
  // Stopped, it stays as it is; the space bar lets it go on.
  await page.getByRole('button', { name: 'Stop the engine' }).click()
  await expect(page.getByTestId('engine')).toHaveAttribute('data-searching', 'false')
  await page.keyboard.press('v')
  await expect(table.square(legal[0] ?? '')).not.toHaveAttribute('aria-label', /worth/)
  // The book is there without the engine, on its squares.
  await page.keyboard.press('v')
  await page.reload()
  await expect(tree(page).locator('[data-node]')).toHaveCount(5)
  await page.getByRole('button', { name: 'Stop the engine' }).click()
  await page.keyboard.press('Home')
  await expect(table.square('f5')).toHaveAttribute('aria-label', /in the book: [+−]?\d/)
})

test('more threads are asked for where the machine has them, and stay chosen', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  const asked: unknown[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload)) as { type: string; threads?: number }
      if (message.type === 'analyse') asked.push(message.threads)
    }),
  )
  await study(page, server.url, 'f5d6c3')
  await expect(page.getByTestId('engine')).toContainText('Depth')
  const threads = page.getByLabel('Threads')
  const cores = availableParallelism()
  test.skip(cores < 2, 'one core: there is nothing to choose')
  await expect(threads.locator('option').last()).toHaveText(`${cores} threads`)
  await threads.selectOption({ label: '2 threads' })
  await expect.poll(() => asked.at(-1)).toBe(2)
  await page.reload()
  await expect(threads).toHaveValue('2')
})

test('a tree that keeps everything: variations, comments, marks, undo, promote, delete, and a second page hears of it', async ({ table, server, context }) => {
  const { page } = table
  await remember(page)
  await study(page, server.url, 'f5d6c3d3c4')
  await expect(tree(page).locator('[data-node]')).toHaveCount(5)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('caption')).toContainText('White to move')
  // Another answer is a variation; the game stays.
  await table.square('f6').click()
  await expect(tree(page).locator('[data-node]')).toHaveCount(6)
  await page.getByLabel('Comment on this position').fill('Parallel')
  await page.getByLabel('Comment on this position').blur()
  await expect(tree(page)).toContainText('Parallel')
  const at = node(page)
  // Up and down among the moves in one place; stepping back loses nothing.
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => node(page)).not.toBe(at)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => node(page)).toBe(at)
  // Marks, by mouse and by the tools.
  const centre = async (name: string) => {
    const box = (await table.square(name).boundingBox())!
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  await page.mouse.move(...(await centre('c3')))
  await page.mouse.down({ button: 'right' })
  await page.mouse.move(...(await centre('f6')))
  await page.mouse.up({ button: 'right' })
  await expect(page.locator('.arrow')).toHaveCount(1)
  await page.getByRole('button', { name: 'Triangle' }).click()
  await table.square('e6').click()
  await expect(page.locator('.mark')).toHaveCount(1)
  await expect(table.square('e6')).toHaveAttribute('aria-label', /triangle/)
  // An arrow that has begun shows where.
  await page.getByRole('button', { name: 'Arrow: press' }).click()
  await table.square('e6').click()
  await expect(page.locator('.arrow')).toHaveCount(2)
  await page.keyboard.press('Escape')

  const second = new Table(await context.newPage())
  await remember(second.page)
  await second.page.goto(page.url())
  await expect(second.page.locator('.arrow')).toHaveCount(1)
  await expect(tree(second.page)).toContainText('Parallel')

  await page.getByRole('button', { name: 'Make this the main line' }).click()
  await expect(tree(page).locator('[data-node]').nth(1)).toContainText('f6')
  await expect(tree(second.page).locator('[data-node]').nth(1)).toContainText('f6')
  await page.getByRole('button', { name: 'Delete this move and what follows' }).click()
  await expect(tree(page).locator('[data-node]')).toHaveCount(5)
  await page.keyboard.press('Control+z')
  await expect(tree(page).locator('[data-node]')).toHaveCount(6)
  await page.keyboard.press('Control+y')
  await expect(tree(page).locator('[data-node]')).toHaveCount(5)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tree(page)).toContainText('Parallel')
  // What was written survives the page.
  await page.reload()
  await expect(tree(page)).toContainText('Parallel')
})

test('the curve and the best line can be walked, by mouse and by keys', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await page.addInitScript(() => localStorage.setItem('outflank.study', JSON.stringify({ strength: { by: 'seconds', n: 1 } })))
  await study(page, server.url, GAMES.full)
  const curve = page.getByTestId('graph')
  const box = (await curve.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + 20)
  await page.mouse.down()
  await expect(curve).toHaveAttribute('aria-valuenow', '30')
  await page.mouse.move(box.x + box.width - 2, box.y + 20)
  await page.mouse.up()
  await expect(curve).toHaveAttribute('aria-valuenow', '60')
  await curve.press('Home')
  await expect(curve).toHaveAttribute('aria-valuenow', '0')
  await curve.press('ArrowRight')
  await expect(table.square('d3')).toHaveAttribute('data-disc', 'black')
  const line = page.getByTestId('line').locator('button')
  await expect(line.nth(1)).toBeVisible()
  // A line that is still searched may be another a moment later.
  await expect(page.getByTestId('engine')).toHaveAttribute('data-searching', 'false', { timeout: 20_000 })
  const before = await table.board()
  const second = await line.nth(1).innerText()
  // The curve has the arrows as long as the focus is there.
  await curve.blur()
  await line.nth(1).hover()
  await expect(table.square(second)).not.toHaveAttribute('data-disc', '')
  // The arrows walk along it, and the tree does not hear of it.
  const [at, nodes] = [node(page), await tree(page).locator('[data-node]').count()]
  const third = await line.nth(2).innerText()
  await expect(table.square(third)).toHaveAttribute('data-disc', '')
  await page.keyboard.press('ArrowRight')
  await expect(table.square(third)).not.toHaveAttribute('data-disc', '')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(table.square(second)).toHaveAttribute('data-disc', '')
  expect([node(page), await tree(page).locator('[data-node]').count()]).toEqual([at, nodes])
  await page.mouse.move(5, 5)
  await expect.poll(() => table.board()).toBe(before)
  // Pressed, it joins the tree.
  await line.nth(1).click()
  await expect(table.square(second)).not.toHaveAttribute('data-disc', '')
  await expect.poll(() => table.board()).not.toBe(before)
})

test('what is shown besides the discs, a position set up by hand, and one by chance', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await study(page, server.url, 'f5d6')
  for (const [kind, drawn] of [['moves', '.disc'], ['frontier', '.frontier'], ['regions', '.region']] as const) {
    await page.locator('#overlay').selectOption(kind)
    await expect(page.locator(drawn).first()).toBeVisible()
  }
  await page.locator('#overlay').selectOption('')
  await page.getByRole('button', { name: 'Set up a position' }).click()
  const dialog = page.locator('dialog')
  await dialog.getByRole('button', { name: 'Clear' }).click()
  await dialog.getByRole('button', { name: 'Study this position' }).click()
  // Nobody can play there: said in a sentence, and nothing is lost.
  await expect(dialog.getByRole('alert')).toHaveText('There is no disc on the board. Put some down first.')
  await dialog.getByRole('button', { name: 'Four discs' }).click()
  await dialog.locator('[data-square=f5]').click()
  await expect(dialog.locator('[data-square=f5]')).toHaveAttribute('data-disc', 'black')
  await dialog.locator('[data-square=f5]').click()
  await expect(dialog.locator('[data-square=f5]')).toHaveAttribute('data-disc', 'white')
  await dialog.getByRole('button', { name: 'Study this position' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'white')
  await page.getByRole('button', { name: 'Random position' }).click()
  await page.getByLabel('Empty squares').fill('44')
  await page.getByRole('button', { name: 'Find one' }).click()
  await expect(page.locator('dialog')).toHaveCount(0, { timeout: 20_000 })
  await expect.poll(async () => [...(await table.board())].filter((cell) => cell === '-').length).toBe(44)
})

test('a position that is looked for when the dialog is closed takes nobody anywhere', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  let found = () => {}
  // The study that was made of it goes again.
  let deleted = 0
  await between(page, {
    asked: (message) => {
      if (message.type === 'study_delete') deleted++
      return false
    },
    told: (message, send) => {
      if (message.type !== 'study') return false
      found = () => send(message)
      return true
    },
  })
  await page.goto(`${server.url}/#/study`)
  await page.getByRole('button', { name: 'Random position' }).click()
  await page.getByRole('button', { name: 'Find one' }).click()
  await expect(page.getByRole('button', { name: 'Looking…' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog')).toHaveCount(0)
  await expect.poll(() => String(found), { timeout: 20_000 }).toContain('send')
  found()
  await expect.poll(() => deleted).toBe(1)
  await expect(page).toHaveURL(/#\/study$/)
})

test('what the server refuses is said: a study that cannot be begun, one that cannot be deleted', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await study(page, server.url, 'f5d6c3')
  await between(page, {
    asked: (message, answer) => {
      if (message.type !== 'study_new' && message.type !== 'study_delete') return false
      answer({ type: 'refused', id: message.id, why: message.type === 'study_new' ? 'too_many' : 'not_saved', text: '' })
      return true
    },
  })
  await page.goto(`${server.url}/#/study`)
  await page.reload()
  await page.getByRole('button', { name: 'Empty board' }).click()
  await expect(page.getByRole('alert')).toHaveText('That was too fast. Wait a moment and try again.')
  await page.locator('main li').first().getByRole('button').click()
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alert')).toHaveText('It could not be saved, so nothing was changed. Is the disk full?')
})

test('a text that holds no game says so and stays; studies are listed, named and deleted', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  await page.goto(`${server.url}/#/study`)
  await page.locator('#paste').fill('no game in here')
  await page.locator('form button[type=submit]').click()
  await expect(page.getByRole('alert')).toContainText('No game and no position could be read in this text.')
  await expect(page.locator('#paste')).toHaveValue('no game in here')
  await page.locator('#paste').fill('f5d6a1')
  await page.locator('form button[type=submit]').click()
  await expect(page.getByRole('alert')).toContainText('(game 1, line 1: move 3: a1 turns no disc)')
  await study(page, server.url, 'f5d6c3')
  const name = page.getByLabel('Name of the study')
  await name.fill('My first Tiger')
  await name.press('Enter')
  await name.blur()
  await page.goto(`${server.url}/#/study`)
  const row = page.locator('li', { hasText: 'My first Tiger' })
  await expect(row).toContainText('3 moves')
  await row.getByRole('button').click()
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
})

test('a phone: a swipe steps, every part is one tap away, nothing scrolls sideways', async ({ browser, server }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  const table = new Table(page)
  await remember(page)
  await study(page, server.url, 'f5d6c3d3c4')
  const swipe = (dx: number) =>
    page.locator('[data-square=d4]').evaluate((square, dx) => {
      const box = square.getBoundingClientRect()
      const at = (x: number, type: string) => square.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch', clientX: box.x + x, clientY: box.y + 9, button: 0 }))
      at(9, 'pointerdown')
      at(9 + dx, 'pointerup')
    }, dx)
  await swipe(-120)
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
  await swipe(120)
  await expect(table.square('f5')).toHaveAttribute('data-disc', '')
  for (const [tab, part] of [['Moves', 'tree'], ['Graph', 'graph'], ['Engine', 'engine']] as const) {
    await page.getByRole('button', { name: tab, exact: true }).click()
    await expect(page.getByTestId(part)).toBeVisible()
  }
  // In the smallest window too, with all that can stand under it, the engine's strip keeps its height.
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(page.getByTestId('book')).toBeAttached()
  await expect(page.getByTestId('line').locator('button').nth(9)).toBeAttached({ timeout: 20_000 })
  expect((await page.getByTestId('engine').boundingBox())?.height).toBeGreaterThanOrEqual(44)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(wide).toBe(false)
  await context.close()
})

/** Holds back what the engine finds, until it is let through. To be called before the page is opened. */
async function heldAnalyses(page: Page): Promise<() => void> {
  const held: string[] = []
  let send: ((text: string) => void) | null = null
  let open = false
  await page.routeWebSocket(/\/api\/socket/, (near) => {
    const far = near.connectToServer()
    send = (text) => near.send(text)
    far.onMessage((text) => {
      if (!open && (JSON.parse(String(text)) as { type: string }).type === 'analysis') held.push(String(text))
      else near.send(text)
    })
  })
  return () => {
    open = true
    for (const text of held.splice(0)) send?.(text)
  }
}

test('a move within a disc of the best has a ground of its own, and a region of an even number its edge', async ({ table, server }) => {
  const { page } = table
  await remember(page)
  // The second move is made one that is nearly as good.
  await page.routeWebSocket(/\/api\/socket/, (near) => {
    near.connectToServer().onMessage((text) => {
      const message = JSON.parse(String(text)) as { type: string; values?: { score: number }[] }
      const [best, next] = message.type === 'analysis' ? (message.values ?? []) : []
      if (best && next) next.score = best.score - 1
      near.send(JSON.stringify(message))
    })
  })
  await study(page, server.url, 'f5d6c3d3c4')
  await page.keyboard.press('End')
  const near = page.locator('.value.near')
  await expect(near).not.toHaveCount(0)
  await expect(near.first()).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  // Sixty squares are empty, in one piece.
  await page.keyboard.press('Home')
  await page.locator('#overlay').selectOption('regions')
  await expect(page.locator('.region:not(.odd)').first()).toBeAttached()
  await expect(page.locator('.region:not(.odd)').first()).not.toHaveCSS('stroke', 'none')
})

for (const [name, size, pressed, follows] of [
  ['phone', { width: 390, height: 844 }, (page: Page) => page.getByRole('button', { name: 'What decided it?' }), (page: Page) => expect(walk(page)).toBeVisible()],
  [
    'desktop',
    { width: 1280, height: 800 },
    (page: Page) => tree(page).locator('[data-node="3"]'),
    (page: Page) => expect(tree(page).locator('[data-node="3"]')).toHaveAttribute('aria-current', 'step'),
  ],
] as const) {
  test(`what is pressed stays where it is while values come in (${name})`, async ({ browser }) => {
    // Nobody has played there: what the library says comes once, after the first values.
    const server = new Server()
    await server.start()
    const context = await browser.newContext({ viewport: size, ...(name === 'phone' ? { hasTouch: true, isMobile: true } : {}) })
    const page = await context.newPage()
    await remember(page)
    const letThrough = await heldAnalyses(page)
    await study(page, server.url, 'f5d6c3d3c4')
    const button = pressed(page)
    const before = (await button.boundingBox())!
    await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
    await page.mouse.down()
    letThrough()
    // So long a line took a second and a third row.
    await expect(page.getByTestId('line').locator('button').nth(9)).toBeAttached({ timeout: 20_000 })
    await expect(page.getByTestId('book')).toBeVisible()
    // A button that is held down is drawn a pixel lower.
    expect(Math.abs((await button.boundingBox())!.y - before.y)).toBeLessThanOrEqual(1)
    await page.mouse.up()
    await follows(page)
    await context.close()
    await server.stop()
  })
}

test('in the editor, what is wrong with a position and the way on are both in sight on a small phone', async ({ table, server }) => {
  const { page } = table
  await page.setViewportSize({ width: 360, height: 640 })
  await remember(page)
  await page.goto(`${server.url}/#/study`)
  await page.getByRole('button', { name: 'Set up a position' }).click()
  const dialog = page.getByRole('dialog')
  const go = dialog.getByRole('button', { name: 'Study this position' })
  await expect(go).toBeInViewport({ ratio: 1 })
  await dialog.getByRole('button', { name: 'Clear' }).click()
  await go.click()
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 })
  await expect(go).toBeInViewport({ ratio: 1 })
})

const SIZES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  // 1280 × 800 at 200 %
  { width: 640, height: 400 },
]

for (const language of ['en', 'es']) {
  test(`axe finds nothing wrong with the study, and it fits every window (${language})`, async ({ table, server }) => {
    test.setTimeout(120_000)
    const { page } = table
    await remember(page, { language })
    const check = async (where: string) => expect(await violationsInEveryLook(page), where).toEqual([])
    await page.goto(`${server.url}/#/study`)
    await expect(page.locator('#paste')).toBeVisible()
    await check('the list')
    await page.locator('#paste').fill(GAME)
    await page.locator('form button[type=submit]').click()
    await expect(walk(page).locator('h2')).toContainText('b7', { timeout: 30_000 })
    await walk(page).locator('.choices button').first().click()
    await expect(page.getByTestId('reason')).toBeVisible()
    for (const size of SIZES) {
      await page.setViewportSize(size)
      // The board takes its measure when the window is drawn.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      const where = `${size.width}×${size.height}`
      const found = await page.evaluate(() => {
        const felt = document.querySelector('[role=grid]')!.getBoundingClientRect()
        const root = document.documentElement
        const small = [...document.querySelectorAll<HTMLElement>('main .button, main select')]
          .filter((element) => element.checkVisibility() && !element.closest('.progress'))
          .map((element) => ({ box: element.getBoundingClientRect(), name: element.getAttribute('aria-label') ?? element.textContent }))
          .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
          .map(({ box, name }) => `${name}: ${box.width} × ${box.height}`)
        return {
          scroll: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
          square: Math.abs(felt.width - felt.height) < 1 && felt.width > 250 && felt.right <= innerWidth && felt.bottom <= innerHeight,
          small,
        }
      })
      expect(found, where).toEqual({ scroll: false, square: true, small: [] })
      await check(`why, ${where}`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('t')
    await expect(page.getByTestId('trial')).toBeVisible()
    await check('trying')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('engine')).toBeVisible()
    await expect(page.getByTestId('engine').locator('b')).toBeVisible()
    await check('the board')
    await page.keyboard.press('?')
    await check('the keys')
  })
}

test('the study is loaded when it is opened, and all scripts together are small', async ({ table, server }) => {
  const { page } = table
  const scripts = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/assets/') && pathname.endsWith('.js')) scripts.add(pathname)
  })
  const studies = () => [...scripts].filter((name) => name.includes('study'))
  await table.begin(server.url)
  await table.play(squares(GAMES.pass).slice(0, 2).join(''))
  expect(studies()).toEqual([])
  await page.goto(`${server.url}/#/study`)
  await expect(page.locator('#paste')).toBeVisible()
  expect(studies()).not.toEqual([])
  const folder = fileURLToPath(new URL('../dist/', import.meta.url))
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js.br'))
    .map((name) => statSync(folder + name).size)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`    all JavaScript: ${(all / 1000).toFixed(1)} kB compressed, in ${sizes.length} files`)
  expect(sizes.length).toBeGreaterThan(5)
  expect(all).toBeLessThan(120_000)
})
