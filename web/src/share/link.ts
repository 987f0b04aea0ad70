// A game, a tree or a position as a link. All of it stands after the `#`, which browsers keep to themselves: nothing is sent to
// anybody, and any server opens it.
//
// `#/s/` and a version, then the data. Version 1: the text as a file would hold it (a transcript, a board, an SGF tree), packed
// by zlib, whose checksum a damaged link does not pass, in base64url.

const VERSION = '1'
/** Longer links are cut by some of the programs people send them with. */
export const COMFORTABLE = 2000
/** No server takes a longer one. */
export const LONGEST = 60_000

export async function pack(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return VERSION + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Whether a later version of this program made it. */
export function isNewer(code: string): boolean {
  return /^[2-9]/.test(code)
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
