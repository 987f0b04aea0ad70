// Someone calls: a game was found for the reader, or they are challenged. What is said and done about it is loaded when it happens.
import type { LobbyOffer } from '../protocol.ts'
import { listen } from './session.svelte.ts'

interface Calls {
  /** Challenges to the reader that wait for an answer. */
  challenges: readonly LobbyOffer[]
  /** Games by correspondence that have begun meanwhile. */
  begun: readonly string[]
  /** Why the last answer came to nothing, or an offer is no more. */
  problem: string | null
}
export const calls = $state<Calls>({ challenges: [], begun: [], problem: null })

listen(
  (message) => {
    const { type } = message
    if (type === 'paired' || type === 'challenged' || type === 'offer_gone') void import('../people/index.ts').then(({ called }) => called(message))
  },
  () => {},
)
