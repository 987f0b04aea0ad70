import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Debian's Chromium, without windows where it is installed so: it takes a third less of the processor.
const SHELL = '/usr/bin/chromium-headless-shell'
const CHROMIUM = process.env['CHROMIUM'] ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium')

// Nothing is downloaded and nothing but loopback is reached.
export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // A browser on a busy machine may miss a moment; a test that fails three times is wrong.
  retries: process.env['CI'] ? 2 : 0,
  timeout: 60_000,
  reporter: [['list']],
  // What is measured runs last and by itself.
  projects: [
    { name: 'page', testIgnore: 'latency.spec.ts' },
    { name: 'latency', testMatch: 'latency.spec.ts', dependencies: ['page'], fullyParallel: false, workers: 1 },
  ],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--autoplay-policy=no-user-gesture-required',
      ],
    },
  },
})
