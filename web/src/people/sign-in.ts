// What a name and a password must be, so that the page can say it before the server does; the server has the last word.

/** 3 to 20 letters from a to z, digits, - and _, beginning with a letter. */
export function handleProblem(handle: string): 'bad_handle' | null {
  return /^[a-z][a-z0-9_-]{2,19}$/i.test(handle) ? null : 'bad_handle'
}

/** In characters, not in the pairs that some of them are made of. */
export function passwordProblem(password: string): 'bad_password_length' | null {
  const { length } = [...password]
  return length >= 10 && length <= 128 ? null : 'bad_password_length'
}

/** Beside which field a refusal belongs. */
export function fieldOf(why: string): 'handle' | 'password' | 'code' | 'form' {
  if (/handle/.test(why)) return 'handle'
  if (/code/.test(why)) return 'code'
  return /password/.test(why) ? 'password' : 'form'
}
