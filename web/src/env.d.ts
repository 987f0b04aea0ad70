/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module 'virtual:messages' {
  import type { FluentResource } from '@fluent/bundle'
  const bodies: Record<string, FluentResource['body']>
  export default bodies
}

declare module 'virtual:messages/how-to-play' {
  import type { FluentResource } from '@fluent/bundle'
  const bodies: Record<string, FluentResource['body']>
  export default bodies
}
