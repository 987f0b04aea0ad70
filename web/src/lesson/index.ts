// The first lesson, loaded when it is opened, with its messages.
import messages from 'virtual:messages/lesson'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { default as Learn } from './Learn.svelte'
