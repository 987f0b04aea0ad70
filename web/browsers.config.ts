import { defineConfig } from 'vitest/config'

// `npm run browsers` (or `make browsers`): the same page in Firefox and WebKit, one browser at a time.
export default defineConfig({
  test: {
    include: ['browsers/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // WebKit's web process crashes now and then under software drawing; a walk that fails twice is wrong.
    retry: 1,
  },
})
