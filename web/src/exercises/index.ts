// The exercises, loaded when they are opened, with their messages.
import messages from 'virtual:messages/exercises'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { default as Exercises } from '../pages/Exercises.svelte'
