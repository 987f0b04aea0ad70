// People meet: a rated game by the lobby and another by a private link, with a broken line, a killed server, somebody watching, and a phone.
import { violations } from './axe.ts'
import { cable } from './cable.ts'
import { Member } from './member.ts'
import { photographed } from './nearby.ts'
import { Club, newAccount, signUp, visitor } from './people.ts'
import { expect, GAMES, squares, test, type Table } from './table.ts'

test.setTimeout(180_000)
/** The page notices within ten seconds; a busy machine gets more. */
const NOTICE = { timeout: 40_000 }

async function sides(one: Table, two: Table): Promise<[black: Table, white: Table]> {
  await expect(one.square('d4')).toHaveAttribute('data-disc', /black|white/)
  // Whoever plays Black has their own bar below the board.
  const below = await one.page.locator('.bottom .bar').getAttribute('data-colour')
  return below === 'black' ? [one, two] : [two, one]
}

test('two people meet in the lobby and play a rated game through a broken line and a killed server, while a third watches', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const line = await cable(club.url)
  const broken = line.url.replace('127.0.0.1', 'club.localhost')
  const [ana, luis, eva] = [await visitor(browser), await visitor(browser, { viewport: { width: 390, height: 844 } }), await visitor(browser)]
  const row = (of: Table, text: string) => of.page.locator('main li').filter({ hasText: text })
  try {
    await Promise.all([signUp(ana.page, club.address, 'Ana'), signUp(luis.page, broken, 'Luis_Fernandez-99999')])
    // Nobody waits, and the page says what to do about it.
    await luis.page.goto(`${broken}/#/lobby`)
    await expect(luis.page.getByText('Nobody is waiting just now.')).toBeVisible()
    expect(await violations(luis.page), 'an empty lobby').toEqual([])
    // An offer, by keyboard; a number that makes no clock is told beside its field.
    await ana.page.goto(`${club.address}/#/lobby`)
    await ana.page.getByRole('button', { name: 'Make an offer' }).focus()
    await ana.page.keyboard.press('Enter')
    const minutes = ana.page.getByLabel('Minutes for each player')
    await minutes.fill('0')
    await ana.page.keyboard.press('Enter')
    await expect(minutes).toHaveAccessibleDescription('Please enter a number from 0.5 to 180.')
    await expect(minutes).toBeFocused()
    await minutes.fill('15')
    expect(await violations(ana.page), 'making an offer').toEqual([])
    await ana.page.getByRole('dialog').getByRole('button', { name: 'Make an offer' }).click()
    await expect(row(ana, 'Your offer')).toContainText('15 min · rated · a toss for colours')
    await expect(row(luis, 'Ana')).toContainText('1500?')
    expect(await violations(luis.page), 'the lobby').toEqual([])
    // Withdrawn while somebody points at it: nothing moves under their hand.
    await row(luis, 'Ana').hover()
    await row(ana, 'Your offer').getByRole('button', { name: 'Withdraw' }).click()
    await expect(row(luis, 'Ana')).toContainText('gone')
    await luis.page.mouse.move(0, 0)
    await expect(row(luis, 'Ana')).toHaveCount(0)

    // One click: Ana looks for somebody, goes elsewhere meanwhile, and is taken to the game.
    await ana.page.goto(`${club.address}/#/`)
    await ana.page.getByRole('button', { name: '10 min' }).click()
    await expect(ana.page.getByText('Looking for an opponent…')).toBeVisible()
    await expect(row(luis, 'Ana')).toContainText('10 min · rated')
    await ana.page.getByRole('link', { name: 'How to play' }).click()
    await row(luis, 'Ana').getByRole('button', { name: 'Play' }).click()
    await expect(ana.page).toHaveURL(/#\/game\//)
    await expect(luis.page).toHaveURL(/#\/game\//)
    const game = new URL(ana.page.url()).hash
    const [black, white] = await sides(ana, luis)
    await expect(black.bar('white')).toContainText('1500?')
    await eva.page.goto(`${club.address}/${game}`)
    await expect(eva.page.getByText('You are watching.')).toBeVisible()

    const moves = squares(GAMES.wipeOut)
    const play = async (from: number, to: number) => {
      for (const [index, square] of moves.slice(from, to).entries()) {
        const mover = (from + index) % 2 === 0 ? black : white
        await mover.play(square)
        for (const seen of [black, white]) await expect(seen.square(square)).not.toHaveAttribute('data-disc', '', NOTICE)
      }
    }
    await play(0, 4)
    expect(await violations(luis.page), 'a rated game').toEqual([])
    // Luis's network goes without a word, and comes back.
    line.cut()
    await luis.page.evaluate(() => dispatchEvent(new Event('offline')))
    await expect(luis.page.getByRole('alert')).toContainText('Connection lost', NOTICE)
    line.mend()
    await expect(luis.page.getByRole('alert')).toHaveCount(0, NOTICE)
    await play(4, 6)
    // The server is killed and started again.
    await club.kill()
    await expect(ana.page.getByRole('alert')).toContainText('Connection lost', NOTICE)
    await club.open()
    for (const seen of [ana, luis, eva]) await expect(seen.page.getByRole('alert')).toHaveCount(0, NOTICE)
    await play(6, 9)
    for (const seen of [ana, luis, eva]) await expect(seen.result).toContainText(/64–0|0–64/, NOTICE)
    // Both ratings have moved, by the same words for everybody, and once.
    const said = await black.page.getByTestId('rated').innerText()
    expect(said).toMatch(/\(\+\d+\)/)
    for (const seen of [white, eva]) await expect(seen.page.getByTestId('rated')).toHaveText(said)
    const winner = black === ana ? 'Ana' : 'Luis_Fernandez-99999'
    await eva.page.getByRole('link', { name: winner, exact: true }).click()
    await expect(eva.page.locator('section[aria-labelledby=ratings] tbody tr')).toHaveText(/Rapid\s*1[5-9]\d\d\?\s*1/)
    await expect(eva.page.locator('section[aria-labelledby=results] tbody tr').first()).toHaveText(/As Black\s*1\s*0\s*0/)
    await expect(eva.page.locator('.games li')).toHaveCount(1)
    expect(await violations(eva.page), 'a person').toEqual([])
    await eva.page.goto(`${club.address}/#/leaders/rapid-standard`)
    await expect(eva.page.getByRole('heading', { level: 1 })).toHaveText('Leaderboard')
    expect(await violations(eva.page), 'the leaderboard').toEqual([])
  } finally {
    for (const one of [ana, luis, eva]) await one.page.context().close()
    line.close()
    await club.stop()
  }
})

test('a challenge is declined and another taken, a rated game by a private link is joined by a phone from its QR code, and who is blocked is not met', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, luis, phone] = [await visitor(browser), await visitor(browser, { locale: 'es-ES' }), await visitor(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })]
  const challenge = async () => {
    await ana.page.getByRole('button', { name: 'Challenge', exact: true }).click()
    await ana.page.getByRole('dialog').getByRole('button', { name: 'Challenge', exact: true }).click()
  }
  try {
    await signUp(ana.page, club.address, 'Ana')
    await luis.page.goto(`${club.address}/#/account`)
    await luis.page.getByRole('radio', { name: 'Cuenta nueva' }).check()
    await luis.page.getByLabel('Nombre').fill('Luis')
    await luis.page.getByLabel('Contraseña', { exact: true }).fill('cuatro fichas en el centro')
    await luis.page.getByRole('button', { name: 'Crear la cuenta' }).click()
    await luis.page.getByRole('button', { name: 'Listo' }).click()
    // Luis is asked wherever they are.
    await luis.page.goto(`${club.address}/#/how-to-play`)
    await ana.page.goto(`${club.address}/#/people/luis`)
    await expect(ana.page.getByText('here now')).toBeVisible()
    await challenge()
    await expect(ana.page.getByText('Luis has been asked.')).toBeVisible()
    const asked = luis.page.getByRole('complementary', { name: 'Retos' })
    await expect(asked).toContainText('Ana (1500?) te reta')
    expect(await violations(luis.page), 'a challenge').toEqual([])
    await asked.getByRole('button', { name: 'Rechazar' }).click()
    await expect(asked).toHaveCount(0)
    await challenge()
    await asked.getByRole('button', { name: 'Aceptar' }).click()
    for (const seen of [ana, luis]) await expect(seen.square('d4')).toHaveAttribute('data-disc', /black|white/)

    // Another game, by a private link. It is to count, and is not begun without a clock.
    await ana.page.goto(`${club.address}/#/`)
    await ana.page.locator('[aria-controls=way-nearby]').click()
    const form = ana.page.locator('#way-nearby')
    await form.getByRole('switch', { name: 'Rated game' }).check()
    await expect(form.getByRole('alert')).toHaveText('A rated game needs a clock: choose one above.')
    await form.locator('button[type=submit]').click()
    await expect(form.getByRole('switch', { name: 'Rated game' })).toBeFocused()
    // Club is with takebacks, which a rated game has not.
    await form.getByRole('radio', { name: 'Club' }).check()
    await expect(form.getByRole('alert')).toHaveCount(0)
    await expect(form.getByText('Whoever opens the link needs an account.')).toBeVisible()
    expect(await violations(ana.page), 'a rated game by a link').toEqual([])
    await form.locator('button[type=submit]').click()
    const link = await photographed(ana.page.getByRole('img', { name: 'QR code of the link below' }))
    expect(link).toContain('club.localhost')
    // The phone reads it from the screen. A guest is told what is missing, and where to get it.
    await phone.page.goto(link)
    await expect(phone.page.getByText('It counts for the players’ ratings.')).toBeVisible()
    await expect(phone.page.getByText('Rated games need an account. Without one you can play casual games.')).toBeVisible()
    await expect(phone.page.getByRole('button', { name: 'Join the game' })).toHaveCount(0)
    expect(await violations(phone.page), 'an account is needed').toEqual([])
    await phone.page.locator('main').getByRole('link', { name: 'Sign in' }).tap()
    await newAccount(phone.page, 'Eva')
    // With the account they are where they were invited to.
    await phone.page.getByRole('button', { name: 'Join the game' }).tap()
    await expect(phone.square('d4')).toHaveAttribute('data-disc', /black|white/)
    for (const [ply, square] of squares(GAMES.wipeOut).entries()) {
      if (ply % 2 === 0) await ana.play(square)
      else await phone.play(square, (place) => place.tap())
      for (const seen of [ana, phone]) await expect(seen.square(square)).not.toHaveAttribute('data-disc', '')
    }
    await expect(ana.result).toContainText('You win, 64–0!')
    await expect(phone.result).toContainText('You lose 0–64.')
    // Both ratings have moved, by the same words for both, and once.
    const said = await ana.page.getByTestId('rated').innerText()
    expect(said).toMatch(/\(\+\d+\)/)
    await expect(phone.page.getByTestId('rated')).toHaveText(said)
    for (const [name, rating] of [['Ana', '1[5-9]\\d\\d'], ['Eva', '1[0-4]\\d\\d']]) {
      await phone.page.goto(`${club.address}/#/people/${name}`)
      await expect(phone.page.locator('section[aria-labelledby=ratings] tbody tr')).toHaveText(new RegExp(`Slow\\s*${rating}\\?\\s*1`))
    }

    // Luis wants to hear nothing more of Ana.
    await luis.page.goto(`${club.address}/#/people/Ana`)
    await luis.page.getByRole('button', { name: 'Bloquear' }).click()
    await expect(luis.page.getByText('Has bloqueado a esta persona')).toBeVisible()
    expect(await violations(luis.page), 'a person, in Spanish').toEqual([])
    for (const width of [360, 768, 1280]) {
      await luis.page.setViewportSize({ width, height: 800 })
      expect(await luis.page.evaluate(() => document.documentElement.scrollWidth), 'no table is wider than its column').toBe(width)
    }
    await ana.page.goto(`${club.address}/#/people/luis`)
    await challenge()
    await expect(ana.page.getByRole('alert')).toContainText('You two do not play each other.')
    // Nobody of that name is told as that.
    await luis.page.goto(`${club.address}/#/people/nadie`)
    await expect(luis.page.getByRole('alert')).toHaveText('Aquí no hay nadie con ese nombre.')
    for (const page of ['lobby', 'leaders', 'account']) {
      await luis.page.goto(`${club.address}/#/${page}`)
      await expect(luis.page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await violations(luis.page), `${page}, in Spanish`).toEqual([])
    }
  } finally {
    for (const one of [ana, luis, phone]) await one.page.context().close()
    await club.stop()
  }
})

test('an offer for days keeps nobody from playing now, a killed server ends no search, and nobody is taken from their board', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, luis] = [await visitor(browser), await visitor(browser)]
  try {
    await Promise.all([signUp(ana.page, club.address, 'Ana'), signUp(luis.page, club.address, 'Luis')])
    await ana.page.goto(`${club.address}/#/`)
    await ana.page.getByRole('button', { name: '3 days' }).click()
    await expect(ana.page.getByText('Your offer')).toBeVisible()
    await ana.page.getByRole('button', { name: '10 min' }).click()
    await expect(ana.page.getByText('Looking for an opponent…')).toBeVisible()
    expect(await violations(ana.page), 'two offers').toEqual([])
    // The server goes with all that waited there; the page asks again by itself.
    await club.kill()
    await expect(ana.page.getByRole('alert')).toContainText('Connection lost', NOTICE)
    await club.open()
    await expect(ana.page.getByRole('alert')).toHaveCount(0, NOTICE)
    await expect(ana.page.getByText('Looking for an opponent…')).toBeVisible()
    await luis.page.goto(`${club.address}/#/`)
    await luis.page.getByRole('button', { name: '10 min' }).click()
    for (const seen of [ana, luis]) await expect(seen.page).toHaveURL(/#\/game\//, NOTICE)
    // Ana sits at that board when somebody takes the other offer.
    const board = ana.page.url()
    await luis.page.goto(`${club.address}/#/lobby`)
    // The other has become the game: it is gone in a moment.
    const row = luis.page.locator('main li').filter({ hasText: 'Ana' })
    await expect(row).toHaveCount(1)
    await expect(row).toContainText('3 days')
    await row.getByRole('button', { name: 'Play' }).click()
    await expect(luis.page).toHaveURL(/#\/game\//)
    const call = ana.page.getByRole('complementary', { name: 'Challenges' })
    await expect(call).toContainText('A game by correspondence has begun.')
    expect(ana.page.url()).toBe(board)
    expect(await violations(ana.page), 'a game that has begun').toEqual([])
    await call.getByRole('link', { name: 'Go to the game' }).click()
    await expect(ana.page).toHaveURL(luis.page.url().replace(/.*#/, `${club.address}/#`))
    await expect(call).toHaveCount(0)
  } finally {
    for (const one of [ana, luis]) await one.page.context().close()
    await club.stop()
  }
})

test('a guest on a phone: what is refused is told in the row that was pressed, which stays; the buttons of an offer are in sight', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const members = await Promise.all(['Ana', 'Luis', 'Eva', 'Zoe', 'Max'].map((handle) => Member.of(club, handle)))
  const guest = await visitor(browser, { viewport: { width: 360, height: 640 }, hasTouch: true })
  const { page } = guest
  try {
    for (const one of members) {
      await one.stay()
      await one.ask('offers', { rules: { time: { kind: 'sudden_death', main_ms: 300_000 }, overrun: 'loses', empties: 'to_winner', takebacks: false, rated: true }, rated: true })
    }
    await page.goto(`${club.address}/#/lobby`)
    const row = page.locator('main li').last()
    await expect(page.locator('main li')).toHaveCount(5)
    await row.getByRole('button', { name: 'Play' }).tap()
    await expect(row.getByRole('alert')).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('alert')).toContainText('need an account')
    await expect(row.getByRole('alert').getByRole('link', { name: 'Sign in' })).toBeVisible()
    await expect(page.locator('main li')).toHaveCount(5)
    await expect(row.getByRole('button', { name: 'Play' })).toBeEnabled()
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.getByRole('button', { name: 'Make an offer' }).tap()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Make an offer' })).toBeInViewport({ ratio: 1 })
    expect(await violations(page)).toEqual([])
  } finally {
    for (const one of members) one.leave()
    await page.context().close()
    await club.stop()
  }
})
