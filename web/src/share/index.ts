// What comes in by paste, drop or link, and what goes out by link or picture: loaded when it is needed, with its messages.
import messages from 'virtual:messages/share'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { default as IncomingDialog } from './IncomingDialog.svelte'
export { default as Shared } from './Shared.svelte'
export { default as ShareDialog } from './ShareDialog.svelte'
