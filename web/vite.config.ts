import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compressed } from './build/compressed.ts'
import { messages } from './build/messages.ts'

const locales = fileURLToPath(new URL('../locales', import.meta.url))
const server = process.env['OUTFLANK_SERVER'] ?? 'http://127.0.0.1:8464'

export default defineConfig({
  plugins: [messages(locales), svelte(), compressed()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // The first page in one piece, all of meeting people in another, what one learns with in a third, and what several parts that are
    // loaded later share in a fourth: crumbs compress badly.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'people', test: /src.(people|pages.(Account|Admin|Leaders|Lobby|Person))/ },
            { name: 'exercises', test: /src.(lesson|exercises)/ },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  // `npm run dev` draws the page, a running `outflank serve` plays the game.
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: { include: ['src/**/*.test.ts'] },
})
