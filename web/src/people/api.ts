// Accounts over HTTP: what signs one in must set a cookie, which a WebSocket cannot.

/** Somebody, as the owner of the server sees them. */
export interface Listed {
  handle: string
  bot: boolean
  made: number
  suspended: number | null
}
/** Something an administrator did. */
export interface Deed {
  number: number
  at: number
  /** The account of whoever did it; null for the owner without one. */
  who: string | null
  /** Null where this version does not know it. */
  what: { type: string; open?: boolean; text?: string | null; handle?: string } | null
}

/** What came of a request: what was asked for, or why not, as a name that the page has words for. */
export type Outcome<T> = { ok: T; why?: undefined } | { ok?: undefined; why: string }

/**
 * Asks the server; it never throws. Paths are below `/api/`.
 *
 *     const { ok, why } = await call<{ account: AccountView }>('POST', 'session', { handle, password })
 */
export async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Outcome<T>> {
  try {
    const answer = await fetch(`/api/${path}`, {
      method,
      // A request that changes something always says that it is JSON: a form of another site cannot.
      ...(method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
    })
    const said: unknown = await answer.json().catch(() => null)
    if (answer.ok) return { ok: said as T }
    const { why } = (said ?? {}) as { why?: unknown }
    return { why: typeof why === 'string' ? why : answer.status === 429 ? 'too_many' : 'failed' }
  } catch {
    return { why: 'away' }
  }
}
