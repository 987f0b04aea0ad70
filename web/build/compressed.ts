// Puts a compressed twin beside every file of the page that shrinks by it: NAME.br and NAME.gz. The server sends them as they are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** What hardly shrinks is not worth unpacking. */
const worth = (small: Buffer, plain: Buffer) => small.length * 10 < plain.length * 9

/** Compresses what a build has written, best first: Brotli where the browser takes it (over https and on this machine), gzip elsewhere. */
export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const plain = readFileSync(path)
        // Brotli's best level is its default.
        const twins = { br: brotliCompressSync(plain), gz: gzipSync(plain, { level: 9 }) }
        for (const [ending, twin] of Object.entries(twins)) if (worth(twin, plain)) writeFileSync(`${path}.${ending}`, twin)
      }
    },
  }
}
