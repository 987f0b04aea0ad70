// Draws the PNG icons from public/favicon.svg: `node build/icons.mjs`. The results are committed.
import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../public/', import.meta.url))
const svg = readFileSync(`${folder}favicon.svg`, 'utf8')
// A maskable icon fills the square and keeps its drawing inside the middle four fifths.
const maskable = svg.replace('rx="14" ', '').replace('viewBox="0 0 64 64"', 'viewBox="-8 -8 80 80"').replace('<rect width="64" height="64"', '<rect x="-8" y="-8" width="80" height="80"')

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const [name, size, source] of [['icon-192', 192, svg], ['icon-512', 512, svg], ['icon-maskable-512', 512, maskable]]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${source}`)
  await page.screenshot({ path: `${folder}${name}.png`, omitBackground: true })
  await page.close()
}
await browser.close()
