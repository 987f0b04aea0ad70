// What happens by itself while somebody reads a study: the engine and the address follow, a walk begins, a line plays itself.
import { untrack } from 'svelte'
import { studyHref } from '../state/route.svelte.ts'
import type { Analyst } from './analysis.svelte.ts'
import type { Reading } from './reading.svelte.ts'
import type { Review } from './review.svelte.ts'
import { isOf } from './review.ts'
import { areSame, type StudySettings } from './settings.ts'
import type { Study } from './study.svelte.ts'
import { TRYING } from './trial.svelte.ts'
import type { Walk } from './walk.svelte.ts'
import type { NodeId } from './wire.ts'

/** How long a move of a line stands before the next. */
const LINE_MS = 1100

/** What the address asks for. */
export interface Wanted {
  node: NodeId | null
  /** The position is played out against the computer. */
  tries: boolean
  /** The walk through the review is open, at this move if it is one of its stops. */
  review: number | null
}

interface Parts {
  study: Study
  analyst: Analyst
  review: Review
  walk: Walk
  reading: Reading
  settings: () => StudySettings
  engineOn: () => boolean
  wanted: () => Wanted
}

/** To be called while the component is made: it ends with it. */
export function follow(parts: Parts): void {
  engineFollows(parts)
  addressFollows(parts)
  addressIsObeyed(parts)
  reviewIsMade(parts)
  lineIsPlayed(parts)
}

/** The engine follows the reader; in a walk the review speaks, and the engine has time for that. */
function engineFollows({ study, analyst, reading, settings, engineOn }: Parts): void {
  $effect(() => {
    const { at, node } = study
    const ready = study.head !== null && node !== null && node.turn !== null
    const { trial, walking } = reading
    if (!ready || (!trial && (walking || !engineOn()))) return untrack(() => analyst.rest())
    const strength = trial ? TRYING : settings().strength
    const threads = trial ? 1 : settings().threads
    untrack(() => analyst.look(at, strength, threads))
  })
}

/** Where the reader is, in the address: replaced, not added, or going back would be as long as the game. */
function addressFollows({ study, walk, reading }: Parts): void {
  $effect(() => {
    if (!study.head) return
    const at = reading.walking && !reading.trial ? `review${walk.move && walk.stage !== 'end' ? `/${walk.move.number}` : ''}` : String(study.at)
    // Whoever is on their way to another page is not called back.
    const here = studyHref(study.id)
    if (location.hash.startsWith(here)) history.replaceState(null, '', `${here}/${at}`)
  })
}

/** An address typed or gone back to; and a position that is to be played out, once it is there. */
function addressIsObeyed({ study, reading, wanted }: Parts): void {
  $effect(() => {
    const { node, review } = wanted()
    untrack(() => {
      if (node !== null && study.head) study.go(node)
      if (review !== null) reading.walking = true
    })
  })
  let tried = false
  $effect(() => {
    const { node, tries } = wanted()
    const turn = tries && !tried && study.head && study.node?.id === node ? study.node?.turn : null
    if (!turn) return
    tried = true
    untrack(() => reading.play(study.at, turn))
  })
}

/** The walk begins as soon as there is something to walk to, and looks for it if nobody has. */
function reviewIsMade({ study, review, walk, reading, settings }: Parts): void {
  $effect(() => {
    if (reading.walking && !reading.trial && study.head && !review.report && !review.running && !review.problem && !reading.asked) {
      reading.asked = true
      untrack(() => void review.start(settings().thresholds))
    }
  })
  // What was reviewed with other thresholds in mind is called by the present ones: that takes no search.
  $effect(() => {
    const { report, whole, running, problem } = review
    const { thresholds } = settings()
    if (report && whole && !running && !problem && !areSame(report.thresholds, thresholds)) untrack(() => void review.start(thresholds))
  })
  // A review is of the main line as it was: another one makes it untrue.
  $effect(() => {
    if (review.report && !isOf(review.report, study.main)) untrack(() => review.forget())
  })
  // The board goes with the walk from one of its moves to another: news of the same move, or of any while the reader looks at something
  // else, leave it where it is.
  const before = $derived(reading.walking ? walk.before : null)
  let stood: NodeId | null = null
  $effect(() => {
    const to = before
    untrack(() => {
      if (to !== null && !reading.trial && walk.stage === 'ask' && (stood === null || stood === study.at)) study.go(to)
    })
    stood = to
  })
}

/** A line that answers a question plays itself, unless the reader takes it in hand or wants no motion. */
function lineIsPlayed({ walk, reading }: Parts): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  $effect(() => {
    const line = walk.line
    if (!line || line.boards.length === 0 || line.ended || reading.trial || !reading.walking || still || line === reading.handled) return
    const timer = setTimeout(() => line.go(line.step + 1), LINE_MS)
    return () => clearTimeout(timer)
  })
}
