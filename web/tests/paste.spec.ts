// Whatever is pasted or dropped opens, and what cannot be read is neither lost nor in the way.
import { deflateSync } from 'node:zlib'
import { violations } from './axe.ts'
import { expect, GAMES, squares, test, type Page } from './table.ts'

const DIAGRAM = `
  a b c d e f g h
1 . . . . . . . . 1
2 . . . . . . . . 2
3 . . . . . . . . 3
4 . . . O X . . . 4
5 . . . X O . . . 5
6 . . . . . . . . 6
7 . . . . . . . . 7
8 . . . . . . . . 8
Black to move
`
const SGF = '(;GM[2]FF[4]PB[Ana Muñoz]PW[Luis];B[f5];W[d6](;B[c3];W[d3])(;B[c4]C[or this]))'
const GGF = '(;GM[Othello]PC[NBoard]DT[2026-11-16]PB[Ana]PW[Luis]RE[?]TI[5:00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5]W[d6]B[c3];)'
const PLAYOK = '[Event "Reversi"]\n[Site "PlayOK"]\n[Black "ana"]\n[White "luis"]\n[Result "*"]\n\n1. f5 d6 2. c3 d3 *\n'
const BOARD = `${'-'.repeat(27)}OX------XO${'-'.repeat(27)} X`

/** As Ctrl+V does, with nothing but this text on the clipboard. */
async function paste(page: Page, text: string, into = 'body'): Promise<void> {
  await page.evaluate(
    ([text, into]) => {
      const data = new DataTransfer()
      data.setData('text/plain', text ?? '')
      document.querySelector(into ?? '')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    [text, into],
  )
}

async function drop(page: Page, files: { name: string; bytes: number[] }[]): Promise<void> {
  await page.evaluate((files) => {
    const data = new DataTransfer()
    for (const { name, bytes } of files) data.items.add(new File([Uint8Array.from(bytes)], name))
    for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
  }, files)
}

const bytes = (text: string) => [...new TextEncoder().encode(text)]

async function start(page: Page, url: string, prefs: object = {}): Promise<void> {
  await page.addInitScript((prefs) => localStorage.setItem('outflank.prefs', JSON.stringify({ speed: 'none', sound: false, ...prefs })), prefs)
  await page.goto(url)
  await expect(page.locator('.ways')).toBeVisible()
}

for (const [what, text] of Object.entries({ transcript: GAMES.full, diagram: DIAGRAM, SGF, GGF, PlayOK: PLAYOK, board: BOARD })) {
  test(`opens as a study: ${what}`, async ({ table, server }) => {
    const { page } = table
    await start(page, server.url)
    await paste(page, text)
    await expect(page).toHaveURL(/#\/study\/\w+/)
    await expect(table.square('d4')).not.toHaveAttribute('data-disc', '')
    await expect(page.locator('dialog')).toHaveCount(0)
  })
}

test('a game that is pasted anywhere, or comes in a link, leads to what decided it; a position to its board', async ({ table, server }) => {
  const { page } = table
  await start(page, server.url)
  await paste(page, GAMES.full)
  await expect(page).toHaveURL(/#\/study\/\w+\/review/)
  await page.goto(server.url)
  await expect(page.locator('.ways')).toBeVisible()
  await paste(page, BOARD)
  await expect(page).toHaveURL(/#\/study\/\w+\/0$/)
  await page.goto(`${server.url}/#/s/1${deflateSync(GAMES.full).toString('base64url')}`)
  await expect(page).toHaveURL(/#\/study\/\w+\/review/)
})

test('pastes from any page, not only the first', async ({ table, server }) => {
  const { page } = table
  await start(page, server.url)
  for (const where of ['#/games', '#/how-to-play', '#/learn', '#/exercises', '#/study']) {
    await page.goto(`${server.url}/${where}`)
    await expect(page.locator('main h1').first()).toBeVisible()
    await paste(page, 'f5d6c3d3')
    await expect(page, where).toHaveURL(/#\/study\/\w{4,}/)
  }
})

test('a dropped file opens; one that is no text is offered to the library', async ({ table, server }) => {
  const { page } = table
  await start(page, server.url)
  await drop(page, [{ name: 'game.sgf', bytes: bytes(SGF) }])
  await expect(page).toHaveURL(/#\/study\/\w+/)
  await page.goto(server.url)
  await drop(page, [{ name: 'WTH_2001.wtb', bytes: [20, 1, 0, 0, 0, 0] }])
  await expect(page.getByRole('dialog', { name: 'This is a collection of games' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.locator('dialog')).toHaveCount(0)
})

test('what cannot be read is told in a sentence, stays, and opens once it is put right', async ({ table, server }) => {
  const { page } = table
  await start(page, server.url)
  await paste(page, 'Dear Ana, see you on Friday')
  const dialog = page.getByRole('dialog')
  // Once: there is no more to say about it.
  await expect(dialog.locator('.problem')).toHaveText('No game and no position could be read in this text.')
  await expect(dialog.locator('textarea')).toHaveValue('Dear Ana, see you on Friday')
  await expect(dialog.locator('textarea')).toBeFocused()
  // Which move is wrong is told.
  await dialog.locator('textarea').fill('f5d6a1')
  await dialog.getByRole('button', { name: 'Open' }).click()
  await expect(dialog.locator('.detail')).toContainText('move 3: a1')
  await dialog.locator('textarea').fill('f5d6c3')
  await dialog.getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(/#\/study\/\w+/)
})

test('a link of this page is followed, and a paste into a field belongs to the field', async ({ table, server }) => {
  const { page } = table
  await table.begin(server.url)
  await table.play('f5')
  const game = page.url()
  await page.goto(server.url)
  await expect(page.locator('.ways')).toBeVisible()
  await page.locator('[aria-controls=way-two]').click()
  await paste(page, 'f5d6c3', '#black-name')
  await expect(page.locator('dialog')).toHaveCount(0)
  await expect(page).not.toHaveURL(/study/)
  await paste(page, ` ${game}\n`)
  await expect(page).toHaveURL(game)
  // In the field of the study a link means what it means anywhere.
  await page.goto(`${server.url}/#/study`)
  await expect(page.locator('#paste')).toBeVisible()
  await paste(page, game, '#paste')
  await expect(page).toHaveURL(game)
  await expect(table.square('f5')).toHaveAttribute('data-disc', 'black')
})

test('several games: the first opens, all go to the library', async ({ table, server }) => {
  const { page } = table
  await start(page, server.url)
  await page.goto(`${server.url}/#/study`)
  const rows = page.locator('main li')
  await expect(rows.or(page.locator('.sample')).first()).toBeVisible()
  const before = await rows.count()
  await paste(page, `${GAMES.full}\n${GAMES.passes}\n${GAMES.draw}\n`)
  await expect(page.getByRole('dialog', { name: 'There are 3 games in it.' })).toBeVisible()
  // Whoever changes their mind has no study of it.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.locator('dialog')).toHaveCount(0)
  await page.reload()
  await expect(rows.or(page.locator('.sample')).first()).toBeVisible()
  await expect(rows).toHaveCount(before)
  // The field of the study asks the same.
  await paste(page, `${GAMES.full}\n${GAMES.passes}\n${GAMES.draw}\n`, '#paste')
  await expect(page.getByRole('dialog', { name: 'There are 3 games in it.' })).toBeVisible()
  await page.getByRole('button', { name: 'Open the first' }).click()
  await expect(page).toHaveURL(/#\/study\/\w+/)
  await expect(table.square(squares(GAMES.full)[0] ?? '')).toBeVisible()
})

for (const language of ['en', 'es']) {
  test(`the button asks for the text, on a phone too; axe finds nothing wrong (${language})`, async ({ table, server }) => {
    const { page } = table
    await page.setViewportSize({ width: 360, height: 640 })
    await start(page, server.url, { language })
    await page.getByRole('button', { name: language === 'es' ? 'Pegar una partida' : 'Paste a game' }).click()
    await expect(page.locator('dialog textarea')).toBeFocused()
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('nothing at all')
    await page.locator('dialog .main').click()
    await expect(page.locator('dialog .problem')).not.toBeEmpty()
    expect(await violations(page)).toEqual([])
    expect(await page.locator('dialog').innerText()).not.toContain('page-')
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog')).toHaveCount(0)
  })
}
