// What something pasted or dropped is, before anybody is asked: pure but for reading the file.
import { codeIn } from './link.ts'

/** A text of this size or less, as it is sent, is one game or a few: the study takes it. */
export const LARGEST_TEXT = 60_000

export type Found =
  /** A link of ours: go there. */
  | { go: string }
  /** A game or a position, perhaps: ask the server. */
  | { text: string }
  /** A collection: something for the library. */
  | { collection: true }
  | { why: 'empty' }

/** `page` is the address of this page. */
export function inText(text: string, page: string): Found {
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'empty' }
  const code = codeIn(trimmed)
  if (code) return { go: `#/s/${code}` }
  const ours = /^(https?:\/\/[^\s#]+)(#\/(?:game|join|study)\/[\w/-]+)$/.exec(trimmed)
  if (ours && ours[1] === page.split('#')[0]) return { go: ours[2] ?? '#/' }
  // Every line break is two characters on the way.
  return new Blob([JSON.stringify(text)]).size > LARGEST_TEXT ? { collection: true } : { text }
}

/** Reads files. One that is not text, or several, are a collection. */
export async function inFiles(files: readonly File[], page: string): Promise<Found> {
  const [file, another] = files
  if (!file || another || file.size > LARGEST_TEXT) return file ? { collection: true } : { why: 'empty' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? { collection: true } : inText(text, page)
  } catch {
    // Names in an old encoding do not make a game unreadable; a byte of zero does not stand in text.
    return bytes.includes(0) ? { collection: true } : inText(new TextDecoder('windows-1252').decode(bytes), page)
  }
}
