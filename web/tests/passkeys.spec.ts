// Passkeys, with a device that Chromium plays itself: one is made, used, refused where it should be, and removed.
import { violations } from './axe.ts'
import { Club, PASSWORD, signUp, visitor } from './people.ts'
import { expect, test, type Page } from './table.ts'

interface Device {
  /** Whether whoever is there is the device's owner. */
  known: (is: boolean) => Promise<void>
  count: () => Promise<number>
}

/** A device inside the browser, which knows its owner and asks nobody to touch it. */
async function device(page: Page): Promise<Device> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return {
    known: (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => {}),
    count: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

test('a passkey is made with the password, signs in by keyboard without it, and is removed', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const { page } = await visitor(browser)
  const phone = await device(page)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const part = page.locator('details').filter({ hasText: 'Passkeys' })
  const clean = async (where: string) => expect(await violations(page), where).toEqual([])
  try {
    await signUp(page, club.address, 'Ana')
    // By keyboard alone.
    await part.locator('summary').focus()
    await page.keyboard.press('Enter')
    await button('Add a passkey').focus()
    await page.keyboard.press('Enter')
    await expect(part.getByLabel('Password')).toHaveAccessibleDescription('Please type the password.')
    await part.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await expect(part.getByLabel('Password')).toHaveAccessibleDescription('This is not your password.')
    expect(await phone.count()).toBe(0)
    // The device does not know who is there: no passkey, and what was typed stays.
    await phone.known(false)
    await part.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(part.getByRole('alert')).toContainText('No passkey was used')
    await expect(part.getByLabel('Password')).toHaveValue(PASSWORD)
    await phone.known(true)
    await button('Add a passkey').click()
    await expect(part.getByRole('status')).toHaveText('The passkey is made. You can sign in with it now.')
    await expect(part.locator('li')).toHaveCount(1)
    await expect(part.locator('li')).toContainText(/Chrome.*Linux.*made .*not used yet/s)
    expect(await phone.count()).toBe(1)
    await clean('a passkey')
    // The device has one already, and says so.
    await part.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(part.getByRole('alert')).toHaveText('This device has a passkey for your account already.')

    await button('Sign out').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
    await clean('signing in')
    // Called off, then done: by keyboard, without a name.
    await phone.known(false)
    await button('Sign in with a passkey').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('No passkey was used')
    await phone.known(true)
    await button('Sign in with a passkey').press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana')
    await expect(page.getByRole('link', { name: 'Ana: your account' })).toBeVisible()
    await part.locator('summary').click()
    await expect(part.locator('li')).toContainText('last used')

    await part.getByRole('button', { name: 'Remove' }).click()
    await expect(part.locator('li')).toHaveCount(0)
    await expect(part.getByRole('status')).toContainText('The passkey is removed here.')
    // The device still has it; the server does not take it any more, and the password is good.
    expect(await phone.count()).toBe(1)
    await button('Sign out').click()
    await button('Sign in with a passkey').click()
    await expect(page.getByRole('alert')).toHaveText('This passkey does not let you in here. Sign in with your name and password.')
    await page.getByLabel('Name', { exact: true }).fill('Ana')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana')
  } finally {
    await page.context().close()
    await club.stop()
  }
})

test('on a phone, in Spanish; and where the page has no name it offers none and says why', async ({ browser }) => {
  const club = new Club()
  await club.open()
  const { page } = await visitor(browser, { locale: 'es-ES', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const clean = async (where: string) => expect(await violations(page), where).toEqual([])
  const fits = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const part = page.locator('details').filter({ hasText: 'Llaves de acceso' })
  const password = 'cuatro fichas en el centro'
  await device(page)
  try {
    await page.goto(`${club.address}/#/account`)
    await page.getByRole('radio', { name: 'Cuenta nueva' }).check()
    await page.getByLabel('Nombre').fill('Maximiliana_de_la_Fu')
    await page.getByLabel('Contraseña', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Crear la cuenta' }).tap()
    await page.getByRole('button', { name: 'Listo' }).tap()
    await part.locator('summary').tap()
    await part.getByLabel('Contraseña').fill(password)
    await part.getByRole('button', { name: 'Añadir una llave de acceso' }).tap()
    await expect(part.getByRole('status')).toHaveText('La llave de acceso está creada. Ya puedes entrar con ella.')
    await expect(part.locator('li')).toContainText('sin usar')
    await clean('una llave de acceso')
    await fits()
    await page.getByRole('button', { name: 'Cerrar sesión' }).tap()
    await page.getByRole('button', { name: 'Entrar con una llave de acceso' }).tap()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Maximiliana_de_la_Fu')

    // By its number the same server is another place, and has no passkeys.
    await page.goto(`${club.url}/#/account`)
    await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Entrar con una llave de acceso' })).toHaveCount(0)
    await page.getByLabel('Nombre').fill('Maximiliana_de_la_Fu')
    await page.getByLabel('Contraseña', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Entrar', exact: true }).tap()
    await part.locator('summary').tap()
    await expect(part.getByText('Las llaves de acceso necesitan https y un nombre')).toBeVisible()
    await expect(part.locator('li')).toContainText('para club.localhost')
    await expect(part.getByLabel('Contraseña')).toHaveCount(0)
    await clean('sin llaves de acceso')
    await fits()
  } finally {
    await page.context().close()
    await club.stop()
  }
})
