// Someone calls: a game was found for the reader, or they are challenged. What is said and done about it is loaded when it happens.
import type { LobbyOffer } from '../protocol.ts'
import { listen } from './session.svelte.ts'

/** Challenges to the reader that wait for an answer. */
export const calls = $state<{ challenges: readonly LobbyOffer[] }>({ challenges: [] })

listen(
  (message) => {
    const { type } = message
    if (type === 'paired' || type === 'challenged' || type === 'offer_gone') void import('../people/index.ts').then(({ called }) => called(message))
  },
  () => {},
)
