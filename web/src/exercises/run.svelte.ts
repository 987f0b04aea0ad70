// One exercise after another: what is asked, what was answered, what comes next. The server grades and remembers.
import { cellsOf, indexOf, name, type Cell } from '../board/squares.ts'
import { t } from '../i18n/index.svelte.ts'
import type { Color, Exercise, ExerciseAnswer, ExerciseKind, Square, Why } from '../protocol.ts'
import { say, sayNow } from '../state/announce.svelte.ts'
import { refusal } from '../state/refusal.ts'
import { gameHref, go, studyHref } from '../state/route.svelte.ts'
import { ask } from '../state/session.svelte.ts'
import { asked, judged } from './words.ts'

/** What the reader chose to practise. */
export interface Wanted {
  kind: ExerciseKind
  level?: number
  /** Openings: the side to play; without it, those that are to be repeated. */
  color?: Color
}

/** What an address asks for; and the address that asks for it. */
export function wantedOf(kind: ExerciseKind, part: string | null): Wanted {
  if (kind === 'openings') return part === 'black' || part === 'white' ? { kind, color: part } : { kind }
  return part && /^[1-5]$/.test(part) ? { kind, level: Number(part) } : { kind }
}

export function exerciseHref({ kind, level, color }: Wanted): string {
  return ['#/exercises', kind, color ?? level].filter(Boolean).join('/')
}

/** Moves, and the board after each. */
export interface Line {
  squares: readonly Square[]
  boards: readonly string[]
}

export class Run {
  readonly wanted: Wanted
  exercise = $state.raw<Exercise | null>(null)
  answer = $state.raw<ExerciseAnswer | null>(null)
  /** There is nothing more to ask for now; when there will be, if that is known. */
  none = $state.raw<{ due: number | null } | null>(null)
  /** What went wrong, as the message that says it. */
  problem = $state('')
  /** A square that cannot be played. */
  slip = $state<string | null>(null)
  busy = $state(false)
  /** A line that is walked on the board, and how many of its moves are played. */
  line = $state.raw<Line | null>(null)
  step = $state(0)
  /** The move that the server is asked about. */
  chosen = $state<Square | null>(null)
  /** Why the mistake was one. */
  why = $state('')
  /** A move that gives the win away may be taken back once. */
  again = $state(true)
  /** What the opponent did, in an ending that is played out. */
  replied = $state('')
  /** The moves before the exercise. */
  #base = 0

  constructor(wanted: Wanted) {
    this.wanted = wanted
    void this.next()
  }

  /** The next question. In an opening it goes on from the best move. */
  async next(): Promise<void> {
    const { exercise, answer } = this
    const { kind, level, color } = this.wanted
    const goesOn = kind === 'openings' && color !== undefined && exercise && answer && this.none === null
    const moves = goesOn ? [...exercise.moves, answer.right ? answer.square : answer.best[0]].join('') : undefined
    this.busy = true
    const told = await ask({ type: 'exercise', kind, ...(level ? { level } : {}), ...(color ? { color } : {}), ...(moves ? { moves } : {}) })
    this.busy = false
    this.answer = null
    this.line = null
    this.slip = null
    this.none = null
    this.problem = ''
    this.again = true
    this.replied = ''
    if (told.type === 'exercise') {
      this.exercise = told
      this.#base = told.moves.length
      say(this.words)
    } else if (told.type === 'exercise_none') {
      this.exercise = null
      this.none = { due: told.due }
    } else if (told.type === 'refused') this.#refused(told.why)
  }

  async choose(index: number): Promise<void> {
    const { exercise } = this
    if (!exercise || this.answer || this.busy) return
    const square = name(index) as Square
    if (!exercise.legal.some((move) => move.square === square)) {
      this.slip = square
      return say(t('page-exercise-slip', { square }))
    }
    this.slip = null
    this.busy = true
    this.chosen = square
    this.why = ''
    const told = await ask({ type: 'exercise_try', card: exercise.card, square, moves: exercise.moves.join('') })
    this.busy = false
    if (told.type === 'exercise') {
      const reply = told.moves.at(-1) ?? ''
      this.exercise = told
      this.replied = `${reply === square ? `${t('page-exercise-theme-pass')}.` : t('page-exercise-defence', { square: reply })} ${t('page-exercise-still')}`
      say(this.replied)
    }
    if (told.type === 'refused') this.#refused(told.why)
    if (told.type !== 'exercise_answer') return
    this.answer = told
    const { mistake, reason } = told
    if (mistake) {
      const { sentence } = await import('../reason/index.ts')
      this.why = `${t('page-exercise-played', { square: mistake })} ${(reason && sentence(reason, mistake, told.best[0])) ?? ''}`.trim()
    }
    say(`${this.words} ${this.why}`)
  }

  /** The last move once more. */
  retry(): void {
    this.again = false
    this.answer = null
    this.line = null
  }

  /** The win was given away, and may be looked for once more: what would have kept it is not told yet. */
  get open(): boolean {
    return this.exercise?.task === 'play_out' && this.answer?.right === false && this.again
  }

  /** What is asked, or how the answer went. */
  get words(): string {
    const { exercise, answer } = this
    if (!exercise) return ''
    if (this.slip !== null) return t('page-exercise-slip', { square: this.slip })
    if (answer) return judged(exercise, answer, this.open)
    if (this.replied) return this.replied
    return exercise.reply ? `${asked(exercise)} ${t(`page-exercise-reply-${exercise.reply}`, { square: exercise.moves.at(-1) ?? '' })}` : asked(exercise)
  }

  /** The board: as it was asked, after the move that was answered, or within the line that is walked. */
  get cells(): Cell[] {
    const { exercise, answer, line } = this
    if (!exercise) return []
    if (line) return cellsOf(line.boards[this.step - 1] ?? exercise.board)
    const cells = cellsOf(exercise.board)
    const played = answer?.square ?? (this.busy ? this.chosen : null)
    const move = played ? exercise.legal.find(({ square }) => square === played) : null
    for (const square of move ? [move.square, ...move.turns] : []) cells[indexOf(square)] = exercise.turn
    return cells
  }

  get last(): number | null {
    const square = this.line ? this.line.squares[this.step - 1] : (this.answer?.square ?? (this.busy ? this.chosen : null) ?? this.exercise?.moves.at(-1))
    return square ? indexOf(square) : null
  }

  /** Shows a line from its first move on. */
  show(line: Line): void {
    this.line = line
    this.walk(1)
  }

  /** Goes to a move of the line that is shown; 0 is the position that was asked. */
  walk(step: number): void {
    if (!this.line) return
    this.step = Math.max(0, Math.min(step, this.line.boards.length))
    say(this.line.squares[this.step - 1] ?? t('page-say-start'))
  }

  /** Against the computer, from here. */
  async playOut(): Promise<void> {
    const { exercise } = this
    if (!exercise) return
    const told = await ask({ type: 'exercise_play', card: exercise.card })
    if (told.type === 'done' && told.game) go(gameHref(told.game))
    // Games begin from the usual four discs: what was set up is played out in the study.
    else if (told.type === 'refused' && told.why === 'bad_rules') await this.study(true)
    else if (told.type === 'refused') this.#refused(told.why)
  }

  /** In the study, with everything it has; `play` against the computer at once. */
  async study(play = false): Promise<void> {
    const { exercise } = this
    if (!exercise) return
    if (exercise.from && !play) return go(studyHref(exercise.from.study, exercise.from.at))
    // A study of its own: the one it came from may be gone, and is not to be played in.
    const told = await ask({ type: 'study_new', from: { kind: 'exercise', card: exercise.card } })
    if (told.type === 'study') go(studyHref(told.study, this.#base) + (play ? '/try' : ''))
    else if (told.type === 'refused') this.#refused(told.why)
  }

  async forget(): Promise<void> {
    const { exercise } = this
    if (!exercise) return
    const told = await ask({ type: 'exercise_remove', card: exercise.card })
    if (told.type === 'refused') this.#refused(told.why)
    else await this.next()
  }

  #refused(why: Why): void {
    this.problem = refusal(why)
    sayNow(t(this.problem))
  }
}
