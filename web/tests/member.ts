// Somebody with an account, made and moved over HTTP: what a test is not about need not be clicked.
import type { BrowserContextOptions } from '@playwright/test'
import { PASSWORD, type Club } from './people.ts'
import { squares } from './table.ts'

type Json = Record<string, unknown>

export class Member {
  readonly #address: string
  readonly #cookie: string
  /** What makes a browser this person's. */
  readonly storageState: Exclude<BrowserContextOptions['storageState'], string | undefined>
  #waiting: AbortController | null = null
  #line: Response | null = null

  private constructor(club: Club, session: string) {
    this.#address = club.url
    this.#cookie = `outflank-session=${session}`
    const cookie = { name: 'outflank-session', value: session, domain: new URL(club.address).hostname, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }
    this.storageState = { cookies: [cookie], origins: [] }
  }

  static async of(club: Club, handle: string, more: Json = {}): Promise<Member> {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${club.url}/api/account`, { method: 'POST', headers, body: JSON.stringify({ handle, password: PASSWORD, ...more }) })
    if (!answer.ok) throw new Error(await answer.text())
    return new Member(club, /outflank-session=(\w+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '')
  }

  async ask<T = Json>(path: string, body?: Json): Promise<T> {
    const answer = await fetch(`${this.#address}/api/${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'Content-Type': 'application/json', Cookie: this.#cookie },
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** Is there until `leave`: live offers stand, and a game sees them. */
  async stay(game?: string): Promise<void> {
    this.#waiting ??= new AbortController()
    // Held on to: an answer that nobody has is closed.
    this.#line = await fetch(`${this.#address}/api/${game ? `games/${game}/` : ''}events`, { headers: { Cookie: this.#cookie }, signal: this.#waiting.signal })
  }
  leave(): void {
    if (this.#line) this.#waiting?.abort()
    this.#waiting = this.#line = null
  }
}

/** Black begins a game by a link, White takes it. */
export async function seated(black: Member, white: Member, rules: Json): Promise<string> {
  const { game } = await black.ask<{ game: string }>('games', { seats: { black: { kind: 'person', name: 'Black' }, white: { kind: 'open' } }, rules })
  const { invites } = await black.ask<{ invites: { white: string } }>(`games/${game}`)
  await white.ask(`games/${game}/sit`, { invite: invites.white, name: 'White' })
  return game
}

/** Plays moves of a game without a pass, Black's first. */
export async function played(black: Member, white: Member, game: string, moves: string): Promise<void> {
  for (const [ply, square] of squares(moves).entries()) await (ply % 2 === 0 ? black : white).ask(`games/${game}/moves`, { square, ply })
}
