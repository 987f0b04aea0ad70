// Runs before the first paint, so that a chosen theme or language never flashes in late.
// The keys are those of src/state/prefs.svelte.ts.
try {
  const prefs = JSON.parse(localStorage.getItem('outflank.prefs') || '{}')
  const root = document.documentElement
  if (prefs.theme) root.dataset.theme = prefs.theme
  if (prefs.language) root.lang = prefs.language
} catch {
  // Private windows may refuse storage: the page then starts with its defaults.
}
