// The game on screen: what the server last said, and where in it the reader is looking.
import { cellsOf, indexOf, name as squareName, other } from '../board/squares.ts'
import { t } from '../i18n/index.svelte.ts'
import type { ByColor, Can, Claim, Color, GameView, MoveView, OpeningReached, Phrase, RatingChange, SeatChoice, Square, ToBrowser, View, Why } from '../protocol.ts'
import { sounds } from '../sound.ts'
import { say, sayNow } from './announce.svelte.ts'
import { keep } from './choices.ts'
import { passAt, type Pass } from './passes.ts'
import { prefs } from './prefs.svelte.ts'
import { gameHref, go } from './route.svelte.ts'
import { ask, begin, listen, Refused, session } from './session.svelte.ts'
import { noticeTurn } from './turns.ts'
import { headline, moveSpoken, offerText, passNotice, playerName, reasons, saidText, toMove } from './words.ts'

/** Who is there, as every message says it. */
type Crowd = Pick<GameView, 'watchers' | 'claim_in_ms'>

/** A second click on the square just played is a slip of the hand, not a question. */
const SLIP_MS = 700

export class Game {
  readonly id: string
  view = $state.raw<View | null>(null)
  moves = $state.raw<readonly MoveView[]>([])
  /** The openings that the moves have reached, first to last. */
  openings = $state.raw<readonly OpeningReached[]>([])
  start = $state.raw('')
  /** What the game did to the players' ratings, once it has counted. */
  rated = $state.raw<ByColor<RatingChange> | null>(null)
  invites = $state.raw<GameView['invites']>({ black: null, white: null })
  /** Which players have the game open somewhere. */
  here = $state.raw<GameView['here']>({ black: true, white: true })
  /** How many watch who do not play. */
  watchers = $state(0)
  /** In how long each colour may claim the game, as of `crowdAt`. */
  claims = $state.raw<GameView['claim_in_ms']>({ black: null, white: null })
  crowdAt = $state.raw(0)
  /** When the clocks in `view` were right, by `performance.now()`. */
  heardAt = $state.raw(0)
  /** There is no such game, or it was deleted. */
  gone = $state(false)
  /** How many moves the reader is looking at; null follows the game. */
  looking = $state<number | null>(null)
  hint = $state.raw<{ ply: number; square: Square } | null>(null)
  thinkingOfHint = $state(false)
  /** How to say the remark: in whatever language the page speaks when it is read. */
  #remark = $state.raw<(() => string) | null>(null)

  /** The square of a move that is on its way: shown as such until the server has it on disk. */
  sent = $state<number | null>(null)

  /** The square chosen while the other player thinks: played as soon as it is the reader's turn. The server knows nothing of it. */
  premove = $state<number | null>(null)

  /** The winner of a game that has just ended, for those who may be glad of it. */
  joy = $state<Color | null>(null)

  #seq = -1
  /** The last square played here, and when. */
  #played = { square: -1, at: 0 }
  /** The ply of a move that is on its way. */
  #sending = -1
  #stop: () => void

  constructor(id: string) {
    this.id = id
    this.#stop = listen(
      (message) => {
        if (message.type === 'game' && message.game === id) this.#hear(message)
        if (message.type === 'presence' && message.game === id) this.#missed(message)
        if (message.type === 'gone' && message.game === id) this.gone = true
        if (message.type === 'hint_reason' && message.game === id) void this.#explain(message)
      },
      () => void this.#open(),
    )
    if (session.line === 'live') void this.#open()
    if (prefs.sound) sounds.wake()
  }

  leave(): void {
    this.#stop()
    void ask({ type: 'close', game: this.id })
  }

  async #open(): Promise<void> {
    const answer = await ask(
      this.#seq < 0 ? { type: 'open', game: this.id } : { type: 'open', game: this.id, have: this.#seq },
    )
    if (answer.type === 'refused') this.gone = true
  }

  /** A gentle sentence about the reader's last click, until something happens. */
  get remark(): string {
    return this.#remark?.() ?? ''
  }

  /** How many moves the shown position has. */
  get ply(): number {
    return this.looking ?? this.moves.length
  }

  get live(): boolean {
    return this.looking === null
  }

  get board(): string {
    if (this.looking === null) return this.view?.board ?? this.start
    return this.looking === 0 ? this.start : (this.moves[this.looking - 1]?.board ?? this.start)
  }

  /** Who had to pass and has not moved since, in the shown position. */
  get pass(): Pass | null {
    return passAt(this.moves, this.ply)
  }

  get lastMove(): MoveView | null {
    return this.moves[this.ply - 1] ?? null
  }

  /** The opening that the shown position came by. */
  get opening(): OpeningReached | undefined {
    return this.openings.findLast(({ ply }) => ply <= this.ply)
  }

  can(what: Can): boolean {
    return this.view?.can.includes(what) ?? false
  }

  /** The colours played from this browser. */
  get mine(): Color[] {
    const seats = this.view?.seats
    return (['black', 'white'] as const).filter((colour) => seats?.[colour].you)
  }

  /** Whether another person plays this colour and is not there. */
  away(colour: Color): boolean {
    const seat = this.view?.seats[colour]
    return seat?.kind === 'person' && !seat.you && this.view?.status === 'playing' && !this.here[colour]
  }

  look(ply: number): void {
    const end = this.moves.length
    this.looking = ply >= end ? null : Math.max(0, ply)
    this.#remark = null
    this.joy = null
    const shown = this.lastMove
    say(shown ? moveSpoken(shown) : t('page-say-start'))
  }

  async choose(index: number): Promise<void> {
    const view = this.view
    if (!view) return
    const square = squareName(index) as Square
    const now = performance.now()
    if (this.#sending === view.ply || (this.live && this.#played.square === index && now - this.#played.at < SLIP_MS)) return
    if (this.#mayPremove(view)) return this.#plan(view, square, index)
    const why = this.#whyNot(view, square, index)
    if (why) {
      this.#remark = why
      say(why())
      return
    }
    this.#remark = null
    await this.#send(view, square, index)
  }

  async #send(view: View, square: Square, index: number): Promise<void> {
    this.#played = { square: index, at: performance.now() }
    this.#sending = view.ply
    this.sent = index
    const answer = await ask({ type: 'play', game: this.id, square, ply: view.ply })
    // The view may have come before this answer, and another move after it.
    if (this.#sending === view.ply) {
      this.#sending = -1
      this.sent = null
    }
    if (answer.type === 'refused') this.#refused(answer.why)
  }

  /** Whether another person thinks, so that a move can be chosen in advance. */
  #mayPremove(view: View): boolean {
    const [mine, both] = this.mine
    const theirs = view.turn !== null && mine !== undefined && both === undefined && view.turn !== mine
    return this.live && theirs && view.turn !== null && view.seats[view.turn].kind === 'person'
  }

  /** Chooses a move in advance; the same square again takes it back. */
  #plan(view: View, square: Square, index: number): void {
    if (this.premove === index) return this.cancelPremove()
    const { turn } = view
    const occupied = cellsOf(view.board)[index] !== null
    if (!occupied) this.premove = index
    this.#remark = () => (occupied ? t('page-remark-occupied', { square }) : t('page-premove', { square, color: t(turn ?? 'black') }))
    say(this.remark)
  }

  cancelPremove(): void {
    if (this.premove === null) return
    const square = squareName(this.premove)
    this.premove = null
    this.#remark = () => t('page-premove-cancelled', { square })
    say(this.remark)
  }

  /** Something has happened: the move chosen in advance is played, waits on, or cannot be played any more. */
  #premoved(view: View): void {
    const index = this.premove
    if (index === null) return
    const square = squareName(index) as Square
    if (view.status === 'playing' && this.can('play')) {
      this.premove = null
      if (view.legal.some((move) => move.square === square)) return void this.#send(view, square, index)
      this.#notNow(square)
    } else if (view.status !== 'playing' || view.paused) {
      this.premove = null
    } else if (cellsOf(view.board)[index]) {
      this.premove = null
      this.#notNow(square)
    }
  }

  #notNow(square: Square): void {
    const turn = () => {
      const colour = this.view?.turn
      return !colour ? '' : this.mine[0] === colour ? t('page-your-turn', { color: colour }) : toMove(colour)
    }
    this.#remark = () => `${t('page-premove-illegal', { square })} ${turn()}`
    say(this.remark)
  }

  /** Why a click there plays nothing; null if it does. */
  #whyNot(view: View, square: Square, index: number): (() => string) | null {
    const { turn } = view
    if (view.status === 'over') return () => t('page-remark-over')
    if (view.status === 'waiting') return () => t('page-remark-waiting')
    if (view.paused) return () => t('page-remark-paused')
    if (!this.live) return () => t('page-remark-looking')
    if (!this.can('play')) {
      if (this.mine.length === 0) return () => t('page-remark-watching')
      return turn ? () => t('page-remark-turn', { color: t(turn) }) : null
    }
    if (cellsOf(view.board)[index]) return () => t('page-remark-occupied', { square })
    if (!view.legal.some((move) => move.square === square)) {
      return () => t('page-remark-turns-nothing', { square, marks: prefs.legal ? 'yes' : 'no' })
    }
    return null
  }

  #refused(why: Why): void {
    // The position moved on between the click and its arrival: what is on screen says it already.
    if (why === 'wrong_ply' || why === 'over' || why === 'out_of_time') return
    this.#remark = () => t(`page-refused-${why.replaceAll('_', '-')}`)
    sayNow(this.remark)
  }

  async #do(what: Parameters<typeof ask>[0]): Promise<void> {
    const answer = await ask(what)
    if (answer.type === 'refused') this.#refused(answer.why)
  }

  /** While an old position is shown nothing acts on the game; says so, and whether that is so. */
  #lookingBack(): boolean {
    if (this.live) return false
    this.#remark = () => t('page-remark-looking')
    say(this.remark)
    return true
  }

  async takeback(): Promise<void> {
    if (this.#lookingBack()) return
    await this.#do({ type: 'takeback', game: this.id, ply: this.moves.length })
  }

  /** Accepts or declines what the other player asks; the one who asked withdraws it. */
  async answer(accept: boolean): Promise<void> {
    const offer = this.view?.offer
    if (offer) await this.#do({ type: 'answer', game: this.id, what: offer.what, accept })
  }

  /** Scraps the game without another, or asks for it. */
  scrap(): Promise<void> {
    return this.#do({ type: 'scrap', game: this.id })
  }

  /** The reader has scrapped the game to go away from it, and the game does not say so yet: its news may come after the answer. */
  #leaving = false

  /** Scraps the game and goes to the start. If a second move came in between, the other player is asked instead. */
  async scrapAndLeave(): Promise<void> {
    this.#leaving = true
    const answer = await ask({ type: 'scrap', game: this.id })
    if (answer.type !== 'refused') return this.#leaveIfScrapped()
    this.#leaving = false
    this.#refused(answer.why)
  }

  #leaveIfScrapped(): void {
    if (!this.#leaving || !(this.view?.verdict || this.view?.offer?.what === 'scrap')) return
    this.#leaving = false
    if (this.view.verdict) go('#/')
  }

  /** Ends a game that has hardly begun. */
  abort(): Promise<void> {
    return this.#do({ type: 'abort', game: this.id })
  }

  /** The other player has left. */
  claim(what: Claim): Promise<void> {
    return this.#do({ type: 'claim', game: this.id, what })
  }

  pause(): Promise<void> {
    return this.#do({ type: 'pause', game: this.id })
  }

  resume(): Promise<void> {
    return this.#do({ type: 'resume', game: this.id })
  }

  say(phrase: Phrase): Promise<void> {
    return this.#do({ type: 'say', game: this.id, phrase })
  }

  resign(colour: Color): Promise<void> {
    return this.#do({ type: 'resign', game: this.id, color: colour })
  }

  async again(swap: boolean): Promise<void> {
    const answer = await ask({ type: 'again', game: this.id, swap })
    if (answer.type === 'refused') this.#refused(answer.why)
    // Where the other player is asked, this game goes on meanwhile.
    else if (answer.type === 'done' && answer.game && answer.game !== this.id) go(gameHref(answer.game))
  }

  /** The same game once more, against another level of the computer. */
  async tryLevel(level: number): Promise<void> {
    if (!this.view) return
    const { seats, rules } = this.view
    const seat = (colour: Color): SeatChoice =>
      seats[colour].kind === 'computer' ? { kind: 'computer', level } : { kind: 'person', name: seats[colour].name ?? 1 }
    try {
      const next = await begin({ type: 'create', seats: { black: seat('black'), white: seat('white') }, toss: false, rules })
      keep({ level })
      go(gameHref(next))
    } catch (error) {
      if (error instanceof Refused) this.#refused(error.why)
    }
  }

  async askHint(): Promise<void> {
    if (this.#lookingBack()) return
    const ply = this.moves.length
    this.thinkingOfHint = true
    const answer = await ask({ type: 'hint', game: this.id, ply })
    this.thinkingOfHint = false
    if (answer.type === 'refused') this.#refused(answer.why)
    if (answer.type === 'hint' && answer.ply === this.moves.length) {
      this.hint = { ply: answer.ply, square: answer.square }
      this.#remark = () => t('page-remark-hint', { square: answer.square })
      say(this.remark)
    }
  }

  /** What speaks for the hint, where a search has found it. Its words come when the first one does. */
  async #explain({ ply, square, instead_of, reason }: Extract<ToBrowser, { type: 'hint_reason' }>): Promise<void> {
    const { sentence } = await import('../reason/index.ts')
    if (this.hint?.ply !== ply || this.hint.square !== square || ply !== this.moves.length) return
    this.#remark = () => `${t('page-remark-hint', { square })} ${sentence(reason, instead_of, square) ?? ''}`
    say(this.remark)
  }

  async sit(invite: string, name: string | 2): Promise<Why | null> {
    const answer = await ask({ type: 'sit', game: this.id, invite, name })
    return answer.type === 'refused' ? answer.why : null
  }

  #hear(message: GameView): void {
    if (message.seq < this.#seq) return
    const before = this.view
    const had = this.moves.length
    const news = message.seq > this.#seq && before !== null
    this.#seq = message.seq
    this.view = message.view
    this.#leaveIfScrapped()
    this.start = message.start
    this.invites = message.invites
    this.rated = message.rated ?? null
    this.here = message.here
    this.#crowd(message)
    this.heardAt = performance.now()
    this.moves = [...this.moves.slice(0, message.keep), ...message.moves]
    this.openings = [...this.openings.filter(({ ply }) => ply <= message.keep), ...(message.openings ?? [])]
    if (this.looking !== null && this.looking >= this.moves.length) this.looking = null
    if (this.moves.length !== had || !news) {
      this.hint = null
      this.sent = null
    }
    if (!news) {
      this.#premoved(message.view)
      return
    }
    if (message.cause !== 'clock') this.#remark = null
    this.#tell(message, before, had)
    this.#premoved(message.view)
    if (before.next === null && message.view.next !== null && this.mine.length > 0) {
      go(gameHref(message.view.next))
    }
  }

  #crowd({ watchers, claim_in_ms }: Crowd): void {
    this.watchers = watchers
    this.claims = claim_in_ms
    this.crowdAt = performance.now()
  }

  /** A player left or came back: said once, and kept in their bar. */
  #missed({ here, ...crowd }: Crowd & Pick<GameView, 'here'>): void {
    const before = this.here
    this.here = here
    this.#crowd(crowd)
    for (const colour of ['black', 'white'] as const) {
      const seats = this.view?.seats
      const seat = seats?.[colour]
      if (!seats || seat?.kind !== 'person' || seat.you || this.view?.status !== 'playing' || before[colour] === here[colour]) continue
      const name = () => playerName(seats, colour, String)
      this.#remark = () => t(here[colour] ? 'page-remark-back' : 'page-remark-left', { name: name() })
      say(this.remark)
    }
  }

  /** Says and sounds what happened. */
  #tell(message: GameView, before: View, had: number): void {
    const view = message.view
    const fresh = this.moves.slice(Math.min(had, message.keep))
    const ended = before.verdict === null && view.verdict !== null
    if (message.cause === 'takeback') {
      this.#played.square = -1
      this.#remark = () => t('page-remark-taken-back')
      say(`${this.remark} ${view.turn ? toMove(view.turn) : ''}`)
      return
    }
    if (message.cause === 'asked' && view.offer && this.can('answer')) {
      // Seen where the answer is given, whatever the reader was looking at.
      this.looking = null
      sayNow(offerText(view, view.offer))
    }
    if (message.cause === 'declined' || message.cause === 'withdrawn') this.#answered(message.cause, before)
    if (message.cause === 'paused' || message.cause === 'resumed') {
      const cause = message.cause
      this.#remark = cause === 'paused' ? null : () => t('page-remark-resumed')
      sayNow(t(`page-remark-${cause}`))
    }
    const said = message.cause === 'said' ? view.said[view.said.length - 1] : undefined
    if (said && (prefs.phrases || view.seats[said.by].you)) {
      this.#remark = () => saidText(view.seats, said)
      say(this.remark)
    }
    if (message.cause === 'back') this.#remark = () => t('page-remark-server-back')
    if (message.cause === 'seated') say(t('page-remark-seated'))
    if (fresh.length > 0) {
      if (view.turn && this.mine.length === 1 && this.mine[0] === view.turn && this.premove === null) noticeTurn(this.id, view)
      const turn = view.turn && !view.passed ? ` ${toMove(view.turn)}` : ''
      say(fresh.map(moveSpoken).join(' ') + turn)
      const last = fresh[fresh.length - 1]
      // After the move is drawn: a sound takes longer to make than to hear.
      if (prefs.sound && last) {
        setTimeout(() => {
          sounds.place()
          sounds.turn(last.flips.length)
        })
      }
      const pass = passAt(this.moves, this.moves.length)
      if (pass && !pass.answered) {
        sayNow(passNotice(pass, this.mine))
        if (prefs.sound) sounds.pass()
      }
    }
    if (ended && view.verdict) {
      const { winner } = view.verdict
      this.looking = null
      // Who lost is not made to watch the other's joy.
      this.joy = winner && (this.mine.length === 0 || this.mine.includes(winner)) ? winner : null
      sayNow([headline(view.verdict, view.seats), ...reasons(view.verdict, view.seats)].join(' '))
      if (prefs.sound && view.verdict.ending !== 'scrapped' && view.verdict.ending !== 'aborted') sounds.end()
    }
  }

  #answered(how: 'declined' | 'withdrawn', before: View): void {
    const offer = before.offer
    // Whoever declined or withdrew it knows.
    const mine = offer && this.mine.includes(offer.by)
    if (!offer || this.mine.length === 0 || (how === 'declined') !== mine) return
    const who = how === 'declined' ? other(offer.by) : offer.by
    this.#remark = () => t(`page-offer-${how}`, { name: playerName(before.seats, who, String) })
    sayNow(this.remark)
  }

  /** The colour at the bottom of the page: the reader's own, Black where they hold both or none. */
  get below(): Color {
    const [only, both] = this.mine
    return only && !both ? only : 'black'
  }

  get above(): Color {
    return other(this.below)
  }

  get lastSquare(): number | null {
    return this.lastMove ? indexOf(this.lastMove.square) : null
  }
}
