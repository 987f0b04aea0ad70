// The review of the study's main line, as it comes in.
import { refusal } from '../state/refusal.ts'
import { ask, listen, type Report, type ReviewNews } from './wire.ts'
import type { Thresholds } from './settings.ts'

export class Review {
  report = $state.raw<Report | null>(null)
  stage = $state<ReviewNews['stage'] | null>(null)
  /** From 0 to 1. */
  progress = $state(0)
  running = $state(false)
  problem = $state<string | null>(null)

  #study: string
  #thresholds: Thresholds | null = null
  /** Deeper than usual, if the reader asked for it. */
  #depth: number | null = null
  #stop: () => void

  constructor(study: string) {
    this.#study = study
    this.#stop = listen(
      (message) => {
        if (message.type === 'review' && message.study === study) this.#hear(message)
        // What was found before is there at once.
        if (message.type === 'study' && message.study === study && message.report && !this.running) {
          this.report = message.report
          this.stage = 'done'
        }
      },
      () => {
        if (this.running && this.#thresholds) void this.start(this.#thresholds, this.#depth)
      },
    )
  }

  leave(): void {
    if (this.running) this.stop()
    this.#stop()
  }

  async start(thresholds: Thresholds, depth: number | null = null): Promise<void> {
    this.#thresholds = thresholds
    this.#depth = depth
    this.running = true
    this.problem = null
    this.progress = 0
    this.stage = null
    const answer = await ask({ type: 'review', study: this.#study, thresholds, ...(depth ? { depth } : {}) })
    if (answer.type !== 'refused') return
    this.running = false
    this.problem = refusal(answer.why)
  }

  /** Once more what was stopped. */
  goOn(): void {
    if (this.#thresholds) void this.start(this.#thresholds, this.#depth)
  }

  stop(): void {
    this.running = false
    void ask({ type: 'review_stop', study: this.#study })
  }

  /** It is not true any more. */
  forget(): void {
    if (this.running) this.stop()
    this.report = null
    this.stage = null
  }

  #hear(news: ReviewNews): void {
    if (!this.running) return
    // One that was asked to be deeper takes the other's place once it is.
    if (!this.#depth || !this.report || news.stage === 'reasons' || news.stage === 'done') this.report = news.report
    this.stage = news.stage
    this.progress = news.progress
    if (news.stage === 'done') this.running = false
  }
}
