// The owner's link, which the server prints where it was started: its token is exchanged for a cookie, in this browser.

/** What became of the link, if the page was opened by one. */
export const claim = async (hash: string): Promise<'none' | 'owner' | 'refused'> => {
  const token = /^#owner=([0-9a-z]+)$/.exec(hash)?.[1]
  if (!token) return 'none'
  try {
    const answer = await fetch('/api/owner', { method: 'POST', body: token })
    return answer.ok ? 'owner' : 'refused'
  } catch {
    return 'refused'
  }
}
