/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module 'virtual:messages' {
  import type { Packed, Part } from '../build/messages.ts'
  const words: Packed | Part
  export default words
}

declare module 'virtual:messages/*' {
  import type { Part } from '../build/messages.ts'
  const part: Part
  export default part
}
