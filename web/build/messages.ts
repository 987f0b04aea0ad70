// Reads locales/*.ftl at build time, so that the browser gets neither a parser nor other programs' messages.
import { FluentResource } from '@fluent/bundle'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/** Module → the headings under which its messages stand. What is not said in a game comes with the part that says it. */
export const MODULES = {
  'virtual:messages': ['Shared', 'Page', 'Page: playing people'],
  'virtual:messages/later': ['Page: games, files and invitations', 'Page: levels', 'Page: game cards', 'Page: how to play', 'Page: copying and sharing', 'Page: talk, watching and notices'],
  'virtual:messages/study': ['Page: study', 'Reasons', 'Why a game is not taken'],
  'virtual:messages/reason': ['Reasons'],
  'virtual:messages/lesson': ['Page: first lesson'],
  'virtual:messages/exercises': ['Page: exercises'],
  'virtual:messages/library': ['Page: library', 'Why a game is not taken'],
  'virtual:messages/people': ['Page: people', 'Page: game cards', 'Page: copying and sharing'],
  'virtual:messages/share': ['Page: paste and share', 'Page: copying and sharing', 'Why a game is not taken'],
} as const satisfies Record<string, readonly string[]>
const EVERYTHING: readonly string[] = Object.values(MODULES).flat()

/** The text under these `## ` headings, and what stands before the first. */
export function pageSections(ftl: string, headings: readonly string[] = EVERYTHING): string {
  let kept = true
  return ftl
    .split('\n')
    .filter((line) => {
      if (line.startsWith('## ')) kept = headings.includes(line.slice(3).trim())
      return kept
    })
    .join('\n')
}

/** Every language's messages, parsed: `{ en: [...], es: [...] }`. */
export function parsed(folder: string, headings?: readonly string[]): Record<string, FluentResource['body']> {
  const out: Record<string, FluentResource['body']> = {}
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.ftl')) continue
    out[basename(file, '.ftl')] = new FluentResource(pageSections(readFileSync(join(folder, file), 'utf8'), headings)).body
  }
  return out
}

/** Ids once and each language's texts in their order: the browser puts them together. What both share travels once. */
export interface Packed {
  ids: string
  texts: Record<string, (FluentResource['body'][number]['value'])[]>
}

export function packed(languages: Record<string, FluentResource['body']>): Packed {
  const [first = []] = Object.values(languages)
  const ids = first.map((message) => message.id)
  const texts = Object.entries(languages).map(([language, body]) => {
    const values = new Map(body.map((message) => [message.id, message.value]))
    return [language, ids.map((id) => values.get(id) ?? null)]
  })
  return { ids: ids.join(' '), texts: Object.fromEntries(texts) }
}

/** The messages of a part that is loaded later, one language at a time. */
export type Part = Record<string, () => Promise<Packed>>

export function messages(folder: string): Plugin {
  let building = false
  return {
    name: 'outflank-messages',
    configResolved(config) {
      building = config.command === 'build'
    },
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load(id) {
      const headings = (MODULES as Record<string, readonly string[]>)[id.slice(1)]
      if (!id.startsWith('\0') || !headings) return undefined
      for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
      const all = packed(parsed(folder, headings))
      // A string parsed at run time is smaller to compile than an object literal.
      const inline = (words: Packed) => `JSON.parse(${JSON.stringify(JSON.stringify(words))})`
      // Tests have the words of the first page at once.
      if (id === '\0virtual:messages' && !building) return `export default ${inline(all)}`
      // Nobody reads two languages at once: each is a file of its own, fetched when it is wanted.
      const loaders = Object.entries(all.texts).map(([language, texts]) => {
        const words: Packed = { ids: all.ids, texts: { [language]: texts } }
        if (!building) return `${language}: async () => ${inline(words)}`
        const source = JSON.stringify(words)
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
        const fileName = `assets/${id.slice(id.lastIndexOf('/') + 1).replace('\0virtual:', '')}-${language}-${hash}.json`
        this.emitFile({ type: 'asset', fileName, source })
        return `${language}: async () => (await fetch('/${fileName}')).json()`
      })
      return `export default { ${loaders.join(', ')} }`
    },
  }
}
