// Reads locales/*.ftl at build time, so that the browser gets neither a parser nor other programs' messages.
import { FluentResource } from '@fluent/bundle'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

const VIRTUAL = 'virtual:messages'
const SECTIONS = ['Page', 'Shared']

/** The text of the sections the page may use: those under the `## Page` and `## Shared` headings. */
export function pageSections(ftl: string): string {
  let kept = true
  return ftl
    .split('\n')
    .filter((line) => {
      if (line.startsWith('## ')) kept = SECTIONS.some((name) => line.slice(3).startsWith(name))
      return kept
    })
    .join('\n')
}

/** Every language's messages, parsed: `{ en: [...], es: [...] }`. */
export function parsed(folder: string): Record<string, FluentResource['body']> {
  const out: Record<string, FluentResource['body']> = {}
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.ftl')) continue
    out[basename(file, '.ftl')] = new FluentResource(pageSections(readFileSync(join(folder, file), 'utf8'))).body
  }
  return out
}

export function messages(folder: string): Plugin {
  return {
    name: 'outflank-messages',
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : undefined),
    load(id) {
      if (id !== `\0${VIRTUAL}`) return undefined
      for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
      // A string parsed at run time is smaller to compile than an object literal.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(parsed(folder)))})`
    },
  }
}
