// Copying a text that stands on the page.

/**
 * Copies the text of `shown`; false where the browser does not allow it. It stays selected then, to be copied by hand.
 *
 * A page that comes over plain http from another computer has no clipboard of its own: there the old way is tried.
 */
export async function copyText(shown: HTMLElement): Promise<boolean> {
  const text = shown.innerText.trim()
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(shown)
    return document.execCommand('copy')
  }
}
