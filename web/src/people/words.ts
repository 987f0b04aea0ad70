// Sentences about people and the games they look for.
import { currentLanguage, has, t } from '../i18n/index.svelte.ts'
import type { LobbyOffer, Opening, Rules, Speed, TimeControl } from '../protocol.ts'

export const SPEEDS: readonly Speed[] = ['blitz', 'rapid', 'slow', 'correspondence']

/** "1520", "1480?" while few games stand behind it. */
export function ratingText(of: { rating: number; provisional: boolean }): string {
  return `${of.rating}${of.provisional ? '?' : ''}`
}

export function nameOf(who: { handle: string | null }): string {
  return who.handle ?? t('page-people-guest')
}

const minutes = (ms: number) => Math.round(ms / 6000) / 10
const seconds = (ms: number) => Math.round(ms / 100) / 10
export const DAY = 86_400_000

/** A clock in as few words as can be: "15 min", "5 min + 3 s", "3 days a move". */
export function paceText(time: TimeControl): string {
  switch (time.kind) {
    case 'none':
      return t('page-pace-none')
    case 'sudden_death':
      return t('page-pace-minutes', { minutes: minutes(time.main_ms) })
    case 'fischer':
      return t('page-pace-plus', { minutes: minutes(time.main_ms), seconds: seconds(time.increment_ms) })
    case 'byo_yomi':
      return t('page-pace-periods', { minutes: minutes(time.main_ms), seconds: seconds(time.period_ms), periods: time.periods })
    case 'per_move':
      return t('page-pace-days', { days: Math.round(time.per_move_ms / DAY) })
  }
}

/** Whether both have to be there: such an offer ends with the page that made it. */
export function isLive(offer: { rules: Rules }): boolean {
  return offer.rules.time.kind !== 'per_move'
}

/** "Rapid", or "Rapid · balanced" for ratings of games from given openings. */
export function categoryText(category: string): string {
  const [speed = '', opening] = category.split('-')
  const text = t(`page-speed-of-${speed}`)
  return opening === 'balanced' ? t('page-category-balanced', { speed: text }) : text
}

/** Whether a game counts: "rated", "casual". */
export function countsText(rated: boolean): string {
  return t(rated ? 'page-rated' : 'page-casual')
}

/** "15 min · rated · balanced opening · you play White", as the reader of the offer sees it. */
export function termsText(offer: Pick<LobbyOffer, 'rules' | 'rated' | 'color' | 'yours'>): string {
  const { color, yours } = offer
  const colour = color === null ? 'toss' : yours === (color === 'black') ? 'black' : 'white'
  return [
    paceText(offer.rules.time),
    countsText(offer.rated),
    ...(offer.rules.opening === 'balanced' ? [t('page-proposal-balanced')] : []),
    t(`page-proposal-${colour}`),
  ].join('\u00a0· ')
}

/** Why something was refused, in words; an unknown reason is told as a failure from which nothing is lost. */
export function whyText(why: string): string {
  const name = why.replaceAll('_', '-')
  const id = [`page-people-${name}`, `page-refused-${name}`].find(has)
  return t(id ?? 'page-people-failed')
}

/** The rules of a game that was looked for by its clock. */
export function rulesFor(time: TimeControl, opening: Opening, rated: boolean): Rules {
  return { time, overrun: 'loses', empties: 'to_winner', takebacks: !rated, opening, rated }
}

/** A date without a time of day. */
export function day(ms: number): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(ms)
}
