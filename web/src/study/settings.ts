// How this browser's reader likes to study, and how it is read back.

/** For how long, or how deep, a position is searched. */
export type Strength = { by: 'seconds'; n: number } | { by: 'depth'; n: number }

export interface Thresholds {
  good: number
  inaccuracy: number
  mistake: number
}

export interface StudySettings {
  strength: Strength
  /** With how many threads, if nobody else needs them. */
  threads: number
  /** Values are written on the squares. */
  values: boolean
  thresholds: Thresholds
}

/** As long as the server searches for anybody: until the reader stops it. */
export const UNTIL_STOPPED = 3600
/** No game is longer: the position is solved. */
export const TO_THE_END = 60
export const SECONDS = [1, 5, 20, 60, 300, UNTIL_STOPPED] as const
export const DEPTHS = [10, 14, 18, 22, 26, TO_THE_END] as const
export const USUAL: Thresholds = { good: 1, inaccuracy: 3, mistake: 8 }
const FIRST: StudySettings = { strength: { by: 'seconds', n: 20 }, threads: 1, values: true, thresholds: USUAL }

const KEY = 'outflank.study'

/** What one may choose on a machine with so many cores: not every number of many. */
export function threadChoices(cores: number): number[] {
  return [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64].filter((n) => n < cores).concat(Math.max(1, cores))
}

/** Each class begins above the one before it: whatever was typed, the three grow. */
export function inOrder({ good, inaccuracy, mistake }: Thresholds): Thresholds {
  const whole = (n: number, least: number, most: number) => Math.min(most, Math.max(least, Number.isFinite(n) ? Math.round(n) : least))
  const first = whole(good, 0, 58)
  const second = whole(inaccuracy, first + 1, 59)
  return { good: first, inaccuracy: second, mistake: whole(mistake, second + 1, 60) }
}

export function areSame(one: Thresholds, other: Thresholds): boolean {
  return one.good === other.good && one.inaccuracy === other.inaccuracy && one.mistake === other.mistake
}

/** Stored text to settings; anything unknown or broken falls back to what is usual. */
export function readSettings(stored: string | null): StudySettings {
  try {
    const raw = JSON.parse(stored ?? '{}') as Partial<StudySettings> | null
    const known = raw?.strength?.by === 'depth' ? DEPTHS : SECONDS
    const n = known.find((one) => one === raw?.strength?.n)
    return {
      strength: n === undefined ? FIRST.strength : { by: raw?.strength?.by === 'depth' ? 'depth' : 'seconds', n },
      threads: Number.isInteger(raw?.threads) ? Math.max(1, raw?.threads ?? 1) : FIRST.threads,
      values: typeof raw?.values === 'boolean' ? raw.values : FIRST.values,
      thresholds: raw?.thresholds ? inOrder(raw.thresholds) : USUAL,
    }
  } catch {
    return FIRST
  }
}

export function recallSettings(): StudySettings {
  try {
    return readSettings(localStorage.getItem(KEY))
  } catch {
    return FIRST
  }
}

export function keepSettings(settings: StudySettings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // In force for this visit.
  }
}
