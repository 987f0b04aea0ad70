// What most visits never open, in one piece that is loaded when some of it is, with its messages: `const { Games } = await import('./later.ts')`.
import messages from 'virtual:messages/later'
import { learn } from './i18n/index.svelte.ts'

await learn(messages)

export { levelNote } from './state/level-notes.ts'
export { default as ClaimBar } from './parts/ClaimBar.svelte'
export { default as Games } from './pages/Games.svelte'
export { default as HowToPlay } from './pages/HowToPlay.svelte'
export { default as Help } from './parts/Help.svelte'
export { default as Join } from './parts/Join.svelte'
export { default as NewGameDialog } from './parts/NewGameDialog.svelte'
export { default as ResignDialog } from './parts/ResignDialog.svelte'
export { default as SaveDialog } from './parts/SaveDialog.svelte'
export { default as TalkDialog } from './parts/TalkDialog.svelte'
export { default as Settings } from './parts/Settings.svelte'
export { default as Waiting } from './parts/Waiting.svelte'
