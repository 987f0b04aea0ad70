// Tells the reader that it is their turn when they look elsewhere, if they asked for it and the browser lets it. Nothing is sent to a
// service: it works while a page of this site is open.
import { t } from '../i18n/index.svelte.ts'
import type { ByColor, SeatView } from '../protocol.ts'
import { other } from '../board/squares.ts'
import { fresh } from './fresh.ts'
import { prefs, set } from './prefs.svelte.ts'
import { gameHref, go } from './route.svelte.ts'
import { ask, session } from './session.svelte.ts'
import { playerName, sideOf } from './words.ts'

/** How often the games that are not open here are asked for. */
const EVERY_MS = 60_000

/** Game → the number of moves for which the reader knows that it is their turn. */
const known = new Map<string, number>()

/** Whether this browser can show notices at all. */
export function canNotify(): boolean {
  return 'Notification' in window && window.isSecureContext
}

/** Asks the browser, and remembers the answer: whether notices are shown from now on. */
export async function askToNotify(): Promise<boolean> {
  const allowed = canNotify() && (await Notification.requestPermission()) === 'granted'
  set('notify', allowed)
  return allowed
}

function show(game: string, seats: ByColor<SeatView>): void {
  const side = sideOf(seats)
  if (!side || !canNotify() || Notification.permission !== 'granted') return
  try {
    const notice = new Notification(t('page-turn-notice'), {
      body: t('page-turn-notice-text', { name: playerName(seats, other(side), String) }),
      tag: game,
    })
    notice.onclick = () => {
      window.focus()
      go(gameHref(game))
    }
  } catch {
    // Some phones show notices only for programs that were installed.
  }
}

/** It has become the reader's turn in a game that is open here. */
export function noticeTurn(game: string, { ply, seats }: { ply: number; seats: ByColor<SeatView> }): void {
  const told = known.get(game) === ply
  known.set(game, ply)
  if (prefs.notify && document.hidden && !told) show(game, seats)
}

/** Looks now and then at games that are not open here. */
export function watchTurns(): void {
  let first = true
  const look = async () => {
    if (!prefs.notify || session.line !== 'live') return
    // However many games there are, and however old: a list by pages would leave some out.
    const answer = await ask({ type: 'turns' })
    if (answer.type !== 'games') return
    const news = fresh(answer.games, known, first)
    first = false
    if (document.hidden) for (const game of news) show(game.game, game.seats)
  }
  setInterval(() => void look(), EVERY_MS)
}
