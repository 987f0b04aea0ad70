// A game, a tree or a position as a link. All of it stands after the `#`, which browsers keep to themselves: nothing is sent to
// anybody, and any server opens it.
//
// `#/s/` and a version, then the data. Version 1: the text as a file would hold it (a transcript, a board, an SGF tree), packed
// by zlib, whose checksum a damaged link does not pass, in base64url.

const VERSION = '1'
/** No game is as long: a link that unpacks to more was made to do harm. */
const LONGEST = 1 << 20
/** Longer links are cut by some of the programs people send them with. */
export const COMFORTABLE = 2000

export type Unpacked = { text: string } | { why: 'damaged' | 'newer' }

export async function pack(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return VERSION + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export async function unpack(code: string): Promise<Unpacked> {
  if (/^[2-9]/.test(code)) return { why: 'newer' }
  if (!code.startsWith(VERSION)) return { why: 'damaged' }
  try {
    const binary = atob(code.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0))
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader()
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { text: text + decoder.decode() }
      text += decoder.decode(value, { stream: true })
      if (text.length > LONGEST) {
        await reader.cancel()
        return { why: 'damaged' }
      }
    }
  } catch {
    return { why: 'damaged' }
  }
}

/** The link to something packed, on the page that is at `here`. */
export function linkTo(code: string, here: string): string {
  return `${here.split('#')[0]}#/s/${code}`
}

/** The packed part of a link, wherever its page is; null for what is no such link. */
export function codeIn(text: string): string | null {
  return /^\s*(?:https?:\/\/\S*|[^\s#]*)#\/s\/([\w-]+)\s*$/.exec(text)?.[1] ?? null
}

/** A position as text that every reader of boards understands. */
export function positionText(board: string, turn: 'black' | 'white' | null): string {
  return `${board} ${turn === 'white' ? 'O' : 'X'}`
}
