// Meeting people, in one piece that is loaded when it is opened, with its messages: `const { People } = await import('./people/index.ts')`.
import messages from 'virtual:messages/people'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { default as Challenges } from './Challenges.svelte'
export { called } from './lobby.svelte.ts'
export { default as People } from './People.svelte'
export { default as Quick } from './Quick.svelte'
export { default as RatedLink } from './RatedLink.svelte'
export { countsText } from './words.ts'
