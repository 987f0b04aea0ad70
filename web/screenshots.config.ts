import base from './playwright.config.ts'

// `npm run screenshots` (or `make screenshots`): the README's pictures, from the real page.
export default { ...base, projects: [], testDir: 'screenshots', outputDir: 'test-results/screenshots' }
