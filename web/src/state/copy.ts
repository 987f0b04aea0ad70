// Copying a text that stands on the page.
import { t } from '../i18n/index.svelte.ts'
import { sayNow } from './announce.svelte.ts'

/**
 * Copies the text of `shown`; false where the browser does not allow it. It stays selected then, to be copied by hand.
 *
 * A page that comes over plain http from another computer has no clipboard of its own: there the old way is tried.
 */
async function copyText(shown: HTMLElement): Promise<boolean> {
  const text = shown.innerText.trim()
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(shown)
    return document.execCommand('copy')
  }
}

/** Copies the text of `shown` and says what came of it, in words to be shown beside it. */
export async function copyAndSay(shown: HTMLElement | undefined): Promise<string> {
  const said = shown ? t((await copyText(shown)) ? 'page-copied' : 'page-copy-by-hand') : ''
  sayNow(said)
  return said
}
