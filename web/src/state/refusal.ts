// Why the server did not do what was asked.
import type { Why } from '../protocol.ts'

/** The message that says so. */
export function refusal(why: Why): string {
  return `page-refused-${why.replaceAll('_', '-')}`
}
