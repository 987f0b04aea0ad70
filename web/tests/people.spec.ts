// Having an account, and running a server: what is wrong stands beside its field, what is shown once can be kept, and nothing typed is lost.
import { readFileSync } from 'node:fs'
import { violations } from './axe.ts'
import { elsewhere } from './elsewhere.ts'
import { Club, PASSWORD, visitor } from './people.ts'
import { Server } from './server.ts'
import { expect, GAMES, test } from './table.ts'

test('an account: made by keyboard, recovered, signed in on two devices and out of one, with a token for a program', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const [ana, other] = [await visitor(browser), await visitor(browser, { locale: 'es-ES', viewport: { width: 390, height: 844 } })]
  const { page } = ana
  const clean = async (where: string, on = page) => expect(await violations(on), where).toEqual([])
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  try {
    // A guest has played here before.
    await ana.begin(club.address)
    await ana.play(GAMES.wipeOut)
    await page.goto(`${club.address}/#/account`)
    await expect(page).toHaveTitle('Account · Outflank')
    await clean('signing in')
    // By keyboard alone: the choice, then the fields in their order.
    await page.getByRole('radio', { name: 'Sign in' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.type('7 discs')
    await page.keyboard.press('Tab')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await expect(field('Name')).toHaveAccessibleDescription(/3 to 20 letters/)
    await expect(field('Name')).toBeFocused()
    await expect(field('Password')).toHaveAccessibleDescription('A password has 10 to 128 characters.')
    await clean('what is wrong')
    await expect(field('Password')).toHaveValue('short')
    await field('Name').fill('Ana')
    // The server has the last word, beside the same field.
    await field('Password').fill('password123')
    await page.keyboard.press('Enter')
    await expect(field('Password')).toHaveAccessibleDescription(/Many people have this password/)
    await expect(field('Name')).toHaveValue('Ana')
    await field('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    // Shown once: read by whoever does not see, copied, saved.
    await expect(page.getByRole('heading', { name: 'Keep these codes' })).toBeFocused()
    await clean('the codes')
    const codes = (await page.getByTestId('codes').innerText()).split('\n')
    expect(codes).toHaveLength(8)
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save as a file' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain(codes.join('\n'))
    await button('Done').click()
    await expect(page.getByRole('link', { name: 'Ana: your account' })).toBeVisible()
    // The guest's game is theirs.
    await page.goto(`${club.address}/#/games`)
    await expect(page.locator('main li')).toHaveCount(1)

    // The same person on a phone, in Spanish, by a code, because the password is forgotten.
    await other.page.goto(`${club.address}/#/account`)
    await other.page.getByLabel('Nombre').fill('ana')
    await other.page.getByLabel('Contraseña', { exact: true }).fill('not the password')
    await other.page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(other.page.getByLabel('Contraseña', { exact: true })).toHaveAccessibleDescription('Ese nombre y esa contraseña no van juntos.')
    await other.page.getByRole('button', { name: '¿Has olvidado la contraseña?' }).click()
    await expect(other.page.getByLabel('Nombre')).toHaveValue('ana')
    await other.page.getByLabel('Código de recuperación').fill(codes[0] ?? '')
    await other.page.getByLabel('Contraseña nueva').fill(`${PASSWORD} again`)
    await clean('recovery', other.page)
    await other.page.getByRole('button', { name: 'Recuperar la cuenta' }).click()
    await expect(other.page.getByRole('heading', { level: 1 })).toHaveText('Ana')
    // A new password ends every other session: the first device is a guest again, without loading anything anew.
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    await page.goto(`${club.address}/#/account`)
    await field('Name').fill('Ana')
    await field('Password').fill(`${PASSWORD} again`)
    await button('Sign in').click()
    await page.getByText('Signed in on').click()
    await expect(page.locator('details[open] li')).toHaveCount(2)
    await button('Sign out there').click()
    await expect(page.locator('details[open] li')).toHaveCount(1)
    await expect(other.page.getByRole('heading', { level: 1 })).toHaveText('Cuenta')

    await page.getByText('Change the password').first().click()
    await field('Old password').fill('not the password')
    await field('New password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(field('Old password')).toHaveAccessibleDescription('This is not your password.')
    await field('Old password').fill(`${PASSWORD} again`)
    await page.keyboard.press('Enter')
    await expect(page.getByText('The password is changed.')).toBeVisible()

    await page.locator('summary', { hasText: 'Programs' }).click()
    await button('Make a token').click()
    await expect(field('What it is for')).toHaveAccessibleDescription(/give it a name/)
    await field('What it is for').fill('My bot')
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('codes')).toHaveText(/^ofk_\w+$/)
    await clean('everything open')
    await button('Done').click()
    await button('A program plays here').click()
    await page.getByRole('dialog').getByRole('button', { name: 'A program plays here' }).click()
    await expect(page.getByText('A program plays from this account.')).toBeVisible()
    await button('End').click()
    await expect(page.getByText('My bot')).toHaveCount(0)
    await button('Sign out').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  } finally {
    for (const one of [ana, other]) await one.page.context().close()
    await club.stop()
  }
})

test('a household sees no lobby and no account until its owner opens one; then the owner runs a server', async ({ table, browser }) => {
  const server = new Server()
  await server.start()
  const away = await elsewhere(server.url)
  const guest = await visitor(browser, { viewport: { width: 390, height: 844 } })
  const { page } = table
  const clean = async (where: string) => expect(await violations(page), where).toEqual([])
  try {
    await page.goto(server.url)
    await expect(page.locator('[aria-controls=way-two]')).toBeVisible()
    await expect(page.getByText('Play someone')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Running the server…' }).click()
    await expect(page.locator('dialog')).toHaveCount(0)
    await page.getByRole('switch', { name: 'Lobby' }).check()
    await expect(page.getByText('Saved.')).toBeVisible()
    await page.getByLabel('What everybody is told').fill('The server restarts at ten.')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('The server restarts at ten.')
    await clean('running the server')

    // Somebody else comes, reads it once, and makes an account.
    await guest.page.goto(`${away.url}/#/account`)
    await expect(guest.page.getByRole('alert')).toContainText('The server restarts at ten.')
    await guest.page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
    await guest.page.reload()
    await guest.page.getByRole('radio', { name: 'New account' }).check()
    await expect(guest.page.getByRole('alert')).toHaveCount(0)
    await guest.page.getByLabel('Name', { exact: true }).fill('Maximiliana_de_la_Fu')
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('button', { name: 'Done' }).click()
    expect(await guest.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

    await page.getByLabel('Name, or a part of it').fill('MAXI')
    await page.getByText('Fair play').click()
    await expect(page.getByText('Rated games in the last 90 days: 0, of them won: 0')).toBeVisible()
    await expect(page.getByText('never proof')).toBeVisible()
    await clean('fair play')
    await page.getByRole('button', { name: 'Suspend' }).click()
    await clean('a question')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await expect(page.getByText('Suspended Maximiliana_de_la_Fu')).toBeVisible()
    await expect(guest.page.getByRole('heading', { level: 1 })).toHaveText('Account')
    await guest.page.getByLabel('Name', { exact: true }).fill('Maximiliana_de_la_Fu')
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.keyboard.press('Enter')
    await expect(guest.page.getByRole('alert')).toContainText('This account is suspended.')
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await expect(page.getByTestId('codes')).toHaveText(/\w{4}-\w{4}/)
    // What was done is kept, the latest first.
    await expect(page.locator('section[aria-labelledby=audit] li').first()).toContainText('Reset the password of Maximiliana_de_la_Fu')
    // It is a household again.
    await page.getByRole('switch', { name: 'Lobby' }).uncheck()
    await page.getByRole('link', { name: 'Outflank' }).click()
    await expect(page.locator('[aria-controls=way-two]')).toBeVisible()
    await expect(page.getByText('Play someone')).toHaveCount(0)
    // Nobody else may look behind it.
    await guest.page.goto(`${away.url}/#/admin`)
    await expect(guest.page.getByText('Only the owner of this server can do this.')).toBeVisible()
    await expect(guest.page.getByRole('switch')).toHaveCount(0)
  } finally {
    await guest.page.context().close()
    away.close()
    await server.stop()
  }
})
