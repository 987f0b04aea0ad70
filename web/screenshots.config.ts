import base from './playwright.config.ts'

// `npm run screenshots` (or `make screenshots`): the README's pictures, from the real page.
export default { ...base, projects: [{ name: 'readme' }], testDir: 'screenshots', outputDir: 'test-results/screenshots', use: { ...base.use, actionTimeout: 10_000 } }
