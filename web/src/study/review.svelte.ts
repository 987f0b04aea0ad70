// The review of the study's main line, as it comes in.
import { refusal } from '../state/refusal.ts'
import { ask, listen, type Report, type ReviewNews } from './wire.ts'
import type { Thresholds } from './settings.ts'

/** How far a report has come: each stage beyond the one before, and in the first by its moves. */
const STAGES = ['first', 'deeper', 'reasons', 'done'] as const
const far = (stage: ReviewNews['stage'], { moves }: Report) => STAGES.indexOf(stage) + moves.length / 100

export class Review {
  report = $state.raw<Report | null>(null)
  /** Nothing is missing in the report. */
  whole = $state(false)
  stage = $state<ReviewNews['stage'] | null>(null)
  /** From 0 to 1. */
  progress = $state(0)
  running = $state(false)
  problem = $state<string | null>(null)

  #study: string
  #thresholds: Thresholds | null = null
  /** Deeper than usual, if the reader asked for it. */
  #depth: number | null = null
  /** How far another report must have come to take the place of this one. */
  #least = 0
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
          this.whole = true
        }
      },
      () => {
        if (this.running) this.goOn()
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
    this.#least = !this.report ? 0 : depth ? STAGES.indexOf('reasons') : far(this.stage ?? 'first', this.report)
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
    if (far(news.stage, news.report) >= this.#least) {
      this.report = news.report
      this.whole = news.stage === 'done'
    }
    this.stage = news.stage
    this.progress = news.progress
    if (news.stage === 'done') this.running = false
  }
}
