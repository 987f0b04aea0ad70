/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module 'virtual:messages' {
  import type { Packed } from '../build/messages.ts'
  const packed: Packed
  export default packed
}

declare module 'virtual:messages/*' {
  import type { Part } from '../build/messages.ts'
  const part: Part
  export default part
}
