// What the lobby holds now, for as long as some part of the page shows it.
import { t } from '../i18n/index.svelte.ts'
import type { Ask, LobbyOffer, Opening, ToBrowser } from '../protocol.ts'
import { sounds } from '../sound.ts'
import { sayNow } from '../state/announce.svelte.ts'
import { calls } from '../state/calls.svelte.ts'
import { prefs } from '../state/prefs.svelte.ts'
import { gameHref, go } from '../state/route.svelte.ts'
import { ask, listen, newId, session } from '../state/session.svelte.ts'
import { isLive, nameOf, termsText } from './words.ts'

interface Lobby {
  /** To everybody, and the reader's own challenges to others. */
  offers: readonly LobbyOffer[]
  players: number
  games: number
  known: boolean
  /** Who has just declined the reader's challenge. */
  declined: string | null
}
export const lobby = $state<Lobby>({ offers: [], players: 0, games: 0, known: false, declined: null })

/** What the reader wants of a game, until they say otherwise. */
export const wish = $state<{ rated: boolean; opening: Opening }>({ rated: true, opening: 'standard' })

/** A live offer of this page: the command that made it, and who the reader was. */
interface Sought {
  what: Ask
  id: string
  by: string | null
  asking: boolean
}
/** Live offers end with the line. They are made again with the next, by the same command: if one has become a game meanwhile, that is the answer. */
const sought = new Map<string, Sought>()

const isForReader = (offer: LobbyOffer) => offer.to !== null && !offer.yours

function add(offer: LobbyOffer): void {
  const others = (all: readonly LobbyOffer[]) => all.filter(({ id }) => id !== offer.id)
  if (isForReader(offer)) calls.challenges = [...others(calls.challenges), offer]
  else lobby.offers = [...others(lobby.offers), offer]
}

function drop(id: string): void {
  lobby.offers = lobby.offers.filter((offer) => offer.id !== id)
  calls.challenges = calls.challenges.filter((offer) => offer.id !== id)
}

function hear(told: ToBrowser): void {
  if (told.type === 'lobby') {
    const all = [...told.offers, ...told.challenges]
    // What is being offered again was not there just now.
    const again = lobby.offers.filter(({ id }) => sought.has(id) && !all.some((offer) => offer.id === id))
    lobby.offers = [...all.filter((offer) => !isForReader(offer)), ...again]
    calls.challenges = all.filter(isForReader)
  } else if (told.type === 'lobby_changed') {
    told.gone.forEach(drop)
    told.new.forEach(add)
  } else return
  lobby.players = told.players
  lobby.games = told.games
  lobby.known = true
}

let readers = 0

/** Listens until the function it returns is called: `$effect(watch)`. */
export function watch(): () => void {
  const open = () => void ask({ type: 'lobby' })
  // The answer is heard as all that is said is.
  const stop = listen(hear, open)
  if (++readers === 1 && session.line === 'live') open()
  return () => {
    stop()
    if (--readers === 0) void ask({ type: 'lobby_close' })
  }
}

/** Says it to whoever looks elsewhere, if they allowed that. */
function notify(text: string): void {
  if (prefs.sound) sounds.end()
  sayNow(text)
  try {
    if (prefs.notify && document.hidden && Notification.permission === 'granted') new Notification('Outflank', { body: text })
  } catch {
    // Some phones show notices only for programs that were installed.
  }
}

function forget(offer: string): void {
  sought.delete(offer)
  drop(offer)
}

/** A game was found, someone challenges the reader, or an offer came to nothing. */
export function called(told: ToBrowser): void {
  if (told.type === 'paired') {
    drop(told.game)
    if (told.waited) {
      // Whoever plays waits for nobody else.
      for (const offer of sought.keys()) forget(offer)
      notify(t('page-paired'))
      go(gameHref(told.game))
    } else if (!location.hash.includes(told.game)) {
      calls.begun = [...calls.begun, told.game]
      notify(t('page-begun'))
    }
  } else if (told.type === 'challenged') {
    add(told.offer)
    notify(t('page-challenged', { name: nameOf(told.offer.by), terms: termsText(told.offer) }))
  } else if (told.type === 'offer_gone') {
    lobby.declined = told.declined ? (lobby.offers.find(({ id }) => id === told.offer)?.to ?? null) : null
    forget(told.offer)
  }
}

/** Asks for a game; why not, if it cannot be had. An offer that waits is in the lobby then, a game that is found is gone to. */
export async function seek(what: Ask): Promise<string | null> {
  lobby.declined = null
  return settle(what, newId())
}

async function settle(what: Ask, id: string): Promise<string | null> {
  const answer = await ask(what, id)
  if (answer.type === 'offered') {
    const { offer } = answer
    add(offer)
    if (isLive(offer)) sought.set(offer.id, { what, id, by: session.me.handle, asking: false })
  }
  if (answer.type === 'done' && answer.game) go(gameHref(answer.game))
  return answer.type === 'refused' ? answer.why : null
}

/** Offers again what the line took with it; says so where it cannot be. */
async function again(): Promise<void> {
  for (const [offer, one] of [...sought]) {
    // Under the same name as before, once: a line that breaks again asks by itself.
    if (one.asking) continue
    one.asking = true
    const problem = one.by === session.me.handle ? await settle(one.what, one.id) : 'signed_out'
    one.asking = false
    if (sought.get(offer) === one) forget(offer)
    if (problem !== null && problem !== 'signed_out') calls.problem = 'offer_lost'
  }
}
listen(
  () => {},
  () => void again(),
)

/** Takes an offer or a challenge; why not, if it cannot be had. */
export async function accept(offer: LobbyOffer): Promise<string | null> {
  const why = await seek({ type: 'offer_accept', offer: offer.id })
  // What this reader cannot have may still be had by others.
  if (why === null || why === 'no_such_offer') drop(offer.id)
  return why
}

/** Withdraws one's own, declines another's. */
export async function refuse(offer: LobbyOffer): Promise<void> {
  forget(offer.id)
  await ask({ type: offer.yours ? 'offer_withdraw' : 'challenge_decline', offer: offer.id })
}
