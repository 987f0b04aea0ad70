// The library, in one piece that is loaded when it is opened, with its messages: `const { Library } = await import('./library/index.ts')`.
import messages from 'virtual:messages/library'
import { learn } from '../i18n/index.svelte.ts'

await learn(messages)

export { default as Library } from '../pages/Library.svelte'
