// The study, in one piece that is loaded when it is opened, with its messages: `const { Study } = await import('./study/index.ts')`.
import messages from 'virtual:messages/study'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { default as Study } from '../pages/Study.svelte'
