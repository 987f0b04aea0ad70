// How a clock reads. Only display: the server decides when a flag has fallen.

const DAY_MS = 86_400_000

/** `2 d 5 h`, `1:05:00`, `29:59`, `0:10`, and from ten seconds down with tenths: `9.9`. */
export function reading(ms: number): string {
  if (ms < 10_000) return (Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1)
  // Nobody watches days go by: hours will do.
  if (ms > DAY_MS) return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / 3_600_000)} h`
  // A clock shows the second that has begun, so that 30:00 stands for a moment when it starts.
  const seconds = Math.ceil(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** What is left of a running clock `elapsed` milliseconds after the server said `left`. */
export function remaining(left: number, elapsed: number): number {
  return Math.max(0, left - elapsed)
}
