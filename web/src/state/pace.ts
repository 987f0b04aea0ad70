import type { Speed } from './preferences.ts'

const PACES: Record<Speed, number> = { slow: 420, normal: 240, fast: 120, none: 0 }

/** How long a disc turns. Stepping quickly through a game shortens it. */
export function pace(speed: Speed, hurried: boolean): number {
  return hurried ? Math.min(90, PACES[speed]) : PACES[speed]
}
