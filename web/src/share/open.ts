// Games for the library.
import { upload } from '../library/upload.ts'
import type { LibraryReport } from '../protocol.ts'

export type Added = LibraryReport

/** Puts games into the library; null if that did not work. */
export function addAll(sources: readonly (File | string)[]): Promise<Added | null> {
  return upload(sources.map((source) => (typeof source === 'string' ? { name: '', text: source } : source)))
}
