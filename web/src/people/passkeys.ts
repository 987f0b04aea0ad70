// Passkeys: the browser asks the device, the server says what for and looks at the answer. Bytes travel as texts in base64url.
import { call, type Outcome } from './api.ts'
import type { AccountView, PasskeyView } from '../protocol.ts'

/** What the server says for the browser's ears: its own words, but for bytes. */
interface MakeOptions extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  challenge: string
  user: { id: string; name: string; displayName: string }
  excludeCredentials: { id: string }[]
}
interface UseOptions extends Omit<PublicKeyCredentialRequestOptions, 'challenge'> {
  challenge: string
}

/** Browsers have passkeys for pages with a name, by https or on this machine. An address is no name. */
export function isNamed(hostname: string): boolean {
  return !/^[\d.]+$|:/.test(hostname)
}

export function canPasskeys(): boolean {
  return isSecureContext && 'PublicKeyCredential' in globalThis && isNamed(location.hostname)
}

/** The bytes of a text such as "AQID". */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

/** The text of some bytes; none for none. */
export function textOf(bytes: ArrayBuffer | null): string {
  const letters = Array.from(new Uint8Array(bytes ?? new ArrayBuffer()), (byte) => String.fromCharCode(byte))
  return btoa(letters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** What comes of asking a device; a person who thinks better of it has lost nothing. */
async function device<T extends AuthenticatorResponse>(ask: () => Promise<Credential | null>): Promise<Outcome<{ credential: PublicKeyCredential; response: T }>> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return { ok: { credential, response: credential.response as T } }
    return { why: 'passkey_stopped' }
  } catch (error) {
    return { why: error instanceof DOMException && error.name === 'InvalidStateError' ? 'has_passkey' : 'passkey_stopped' }
  }
}

/** Makes a passkey on this device. */
export async function addPasskey(password: string): Promise<Outcome<PasskeyView>> {
  const begun = await call<{ options: MakeOptions }>('POST', 'passkeys/begin', { password })
  if (!begun.ok) return begun
  const { challenge, user, excludeCredentials, ...options } = begun.ok.options
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(({ id }) => ({ type: 'public-key' as const, id: bytesOf(id) })),
  }
  const made = await device<AuthenticatorAttestationResponse>(() => navigator.credentials.create({ publicKey }))
  if (!made.ok) return made
  const { clientDataJSON, attestationObject } = made.ok.response
  return call('POST', 'passkeys', { client_data: textOf(clientDataJSON), attestation: textOf(attestationObject) })
}

/** Signs in whoever the device has a passkey for. */
export async function signInByPasskey(): Promise<Outcome<{ account: AccountView }>> {
  const begun = await call<{ options: UseOptions }>('POST', 'session/passkey/begin')
  if (!begun.ok) return begun
  const { challenge, ...options } = begun.ok.options
  const publicKey = { ...options, challenge: bytesOf(challenge) }
  const used = await device<AuthenticatorAssertionResponse>(() => navigator.credentials.get({ publicKey }))
  if (!used.ok) return used
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.ok.response
  return call('POST', 'session/passkey', {
    credential: textOf(used.ok.credential.rawId),
    client_data: textOf(clientDataJSON),
    authenticator_data: textOf(authenticatorData),
    signature: textOf(signature),
    user: textOf(userHandle),
  })
}
