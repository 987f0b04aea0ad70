// Why a move is bad, in words: loaded, with its messages, when the first reason is to be said.
import messages from 'virtual:messages/reason'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { sentence } from './words.ts'
