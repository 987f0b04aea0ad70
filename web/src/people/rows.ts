// The list of open offers, which does not move under the hand that is about to press one of them.
import type { LobbyOffer } from '../protocol.ts'

export interface Row {
  offer: LobbyOffer
  /** Taken or withdrawn; it keeps its place while somebody points at the list. */
  gone: boolean
}

/**
 * The rows to show now. What is there stays where it is, what is new comes below; what is gone leaves only while nobody is at the list
 * (`held`).
 *
 *     rows = merged(rows, lobby.offers, pointed)
 */
export function merged(rows: readonly Row[], offers: readonly LobbyOffer[], held: boolean): Row[] {
  const now = new Map(offers.map((offer) => [offer.id, offer]))
  const kept = rows.flatMap((row) => {
    const offer = now.get(row.offer.id)
    if (offer) return [{ offer, gone: false }]
    return held ? [{ offer: row.offer, gone: true }] : []
  })
  const there = new Set(rows.map((row) => row.offer.id))
  return [...kept, ...offers.filter((offer) => !there.has(offer.id)).map((offer) => ({ offer, gone: false }))]
}
