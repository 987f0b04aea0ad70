// What this browser remembers about its reader. One object, saved on every change.
import { speak } from '../i18n/index.svelte.ts'
import { read, type Prefs } from './preferences.ts'

const KEY = 'outflank.prefs'

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export const prefs = $state<Prefs>(read(stored(), navigator.languages))

function apply(): void {
  speak(prefs.language)
  document.documentElement.dataset['theme'] = prefs.theme
}

export function set<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
  prefs[key] = value
  apply()
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs))
  } catch {
    // Not remembered, but in force for this visit.
  }
}

apply()
