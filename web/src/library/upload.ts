// Files on their way into the library: one body for all of them, and an answer that tells how far it is.
import type { LibraryReport } from '../protocol.ts'

/** One file after another: the length of its name, its name, the length of its content, its content. */
export function packed(files: readonly (File | { name: string; text: string })[]): Blob {
  const pieces: BlobPart[] = []
  for (const file of files) {
    const name = new TextEncoder().encode(file.name)
    const content: Blob = file instanceof File ? file : new Blob([file.text])
    pieces.push(length(name.length), name, length(content.size), content)
  }
  return new Blob(pieces)
}

function length(bytes: number): ArrayBuffer {
  const piece = new DataView(new ArrayBuffer(4))
  piece.setUint32(0, bytes, true)
  return piece.buffer
}

/** The whole lines of a text that is still coming, and what is left of it. */
export function lines(text: string): { whole: string[]; rest: string } {
  const whole = text.split('\n')
  return { rest: whole.pop() ?? '', whole: whole.filter((line) => line !== '') }
}

/** Sends files, tells of every step, and gives the last report; null if the server took nothing. */
export async function upload(
  files: readonly (File | { name: string; text: string })[],
  progress: (report: LibraryReport) => void = () => {},
): Promise<LibraryReport | null> {
  try {
    const response = await fetch('/api/library', { method: 'POST', body: packed(files) })
    const reader = response.ok ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined
    if (!reader) return null
    let last: LibraryReport | null = null
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      const found = lines(rest + (value ?? ''))
      rest = found.rest
      for (const line of found.whole) {
        last = JSON.parse(line) as LibraryReport
        progress(last)
      }
      if (done) return last
    }
  } catch {
    return null
  }
}
