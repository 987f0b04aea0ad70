// The keyboard keeps its place: when what has the focus is taken from the page, the nearest heading to where it stood takes it, so that
// Tab goes on from there, and whoever does not see hears what came instead.

/** What had the focus last, and all it stood in, innermost first. What is asked in a dialog stands where it was asked from. */
let trail: HTMLElement[] = []

/** Nobody has it; a dialog gives it back by itself. */
const isLost = () => document.activeElement === document.body && !document.querySelector('dialog[open]')

function remember({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || target.closest('dialog')) return
  trail = []
  for (let one: HTMLElement | null = target; one; one = one.parentElement) trail.push(one)
}

/** Whoever presses an empty place wants it nowhere: what they left is still there and could have kept it. */
function forget({ target }: FocusEvent): void {
  setTimeout(() => {
    const [last] = trail
    if (last && last === target && last.isConnected && !last.matches(':disabled') && isLost()) trail = []
  })
}

function recover(): void {
  const [last] = trail
  if (!last || !isLost()) return
  // A button that was busy has it again as soon as it can be pressed.
  if (last.isConnected) return last.focus({ preventScroll: true })
  for (const place of trail) {
    const heading = place.isConnected && (place.querySelector<HTMLElement>('h1') ?? place.querySelector<HTMLElement>('h2, h3'))
    if (!heading) continue
    heading.tabIndex = -1
    return heading.focus({ preventScroll: true })
  }
}

/** To be called once. */
export function keepFocus(): void {
  addEventListener('focusin', remember)
  addEventListener('focusout', forget)
  // What comes in its place may be drawn a moment later, or loaded first.
  new MutationObserver(() => setTimeout(recover)).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
