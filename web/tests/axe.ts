// What the rules of accessibility find wrong with the page as it stands.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from './table.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const EVERYTHING: RunOptions['runOnly'] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function found(page: Page, runOnly: RunOptions['runOnly']): Promise<string[]> {
  const results = await page.evaluate(
    // Only what is wrong is told in full.
    (runOnly) => (globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run({ runOnly, resultTypes: ['violations'] } as RunOptions),
    runOnly,
  )
  return results.violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`))
}

export async function violations(page: Page): Promise<string[]> {
  // Through the debugger, not a script tag: the page's own policy stays in force. Once for a document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return found(page, EVERYTHING)
}

/** The same in every look. All that a look changes are colours: of those every look is asked, of the rest one. */
export async function violationsInEveryLook(page: Page): Promise<string[]> {
  const all = await violations(page)
  const paint = (theme: string) =>
    page.evaluate((theme) => {
      const before = document.documentElement.dataset['theme'] ?? ''
      document.documentElement.dataset['theme'] = theme
      return before
    }, theme)
  const own = await paint('light')
  for (const theme of ['light', 'dark', 'contrast']) {
    await paint(theme)
    if (theme !== own) all.push(...(await found(page, { type: 'rule', values: ['color-contrast'] })).map((one) => `${theme}: ${one}`))
  }
  await paint(own)
  return all
}
