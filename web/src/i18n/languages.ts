// The languages the page speaks, and which one a reader probably wants.

export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The first language of the reader's list that we speak; English otherwise. */
export function guess(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const found = LANGUAGES.find((known) => tag.toLowerCase().split('-')[0] === known)
    if (found) return found
  }
  return 'en'
}
