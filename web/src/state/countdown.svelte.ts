// Seconds that run down between the server's messages.

/** What is left of `left()` milliseconds told at `since()`, in whole seconds; null while there is nothing to count. To be called while a
 * component is set up. */
export function countdown(left: () => number | null, since: () => number): () => number | null {
  let now = $state(performance.now())
  $effect(() => {
    if (left() === null) return
    now = performance.now()
    const timer = setInterval(() => (now = performance.now()), 250)
    return () => clearInterval(timer)
  })
  return () => {
    const told = left()
    return told === null ? null : Math.ceil(Math.max(0, told - Math.max(0, now - since())) / 1000)
  }
}
