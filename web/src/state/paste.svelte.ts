// Whatever is pasted or dropped anywhere on the page opens. This part only notices it; what it is and what to do with it is loaded
// when there is something.

/** What came in; without text and files, the reader wants to be asked for them. */
export interface Incoming {
  text?: string
  files?: readonly File[]
  /** The study that was made of the first of several games in the text. */
  made?: { study: string; href: string; more: number }
}

let incoming = $state.raw<Incoming | null>(null)

export function arrived(): Incoming | null {
  return incoming
}

export function receive(what: Incoming | null): void {
  incoming = what
}

/** In a field, a paste means the field; under a dialog, nothing else is reached. */
function taken(event: Event): boolean {
  const at = event.target instanceof Element ? event.target.closest('input, textarea, select, [contenteditable]') : null
  return event.defaultPrevented || at !== null || document.querySelector('dialog[open]') !== null
}

function take(event: Event, data: DataTransfer | null): void {
  const files = [...(data?.files ?? [])]
  const text = data?.getData('text/plain') ?? ''
  if (taken(event) || (files.length === 0 && text.trim() === '')) return
  event.preventDefault()
  receive(files.length > 0 ? { files } : { text })
}

addEventListener('paste', (event) => take(event, event.clipboardData))
addEventListener('drop', (event) => take(event, event.dataTransfer))
// Without this a file that is let go over the page would take the page's place.
addEventListener('dragover', (event) => {
  if (!taken(event)) event.preventDefault()
})
