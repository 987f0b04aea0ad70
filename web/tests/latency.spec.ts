// How fast it answers and how smoothly it moves: printed, not judged, and run with nothing beside it.
import { existsSync, readFileSync } from 'node:fs'
import { expect, GAMES, squares, test, type Page } from './table.ts'

test.setTimeout(240_000)

interface Shown {
  /** The disc is on the board, if only as one that is on its way. */
  placed: number
  /** The server has the move on disk, and the frame is drawn in which the discs begin to turn. */
  kept: number
}

/** One click, and how long until the frames that show what became of it. */
function click(page: Page, name: string): Promise<Shown> {
  return page.evaluate(
    (name) =>
      new Promise<Shown>(async (resolve) => {
        // A player looks before playing: the discs of the move before have come to rest.
        while (document.querySelector('.turner')) await new Promise(requestAnimationFrame)
        await new Promise((rested) => setTimeout(rested, 200))
        const button = document.querySelector<HTMLElement>(`[data-square=${name}]`)!
        const start = performance.now()
        // The next frame is the first that shows what has just changed.
        const drawn = () => new Promise<number>((tell) => requestAnimationFrame(() => tell(performance.now() - start)))
        let placed: Promise<number> | null = null
        const board = button.closest('.board')!
        new MutationObserver((_, observer) => {
          const kept = !!button.dataset['disc']
          if (!kept && !board.querySelector('.sent')) return
          placed ??= drawn()
          if (!kept) return
          observer.disconnect()
          void Promise.all([placed, drawn()]).then(([placed, kept]) => resolve({ placed, kept }))
        }).observe(board, { attributes: true, childList: true, subtree: true })
        button.click()
      }),
    name,
  )
}

function spread(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, worst ${at(1)} ms`
}

test('how long from the click to the move on screen', async ({ table, server }) => {
  const times: Shown[] = []
  for (const game of [GAMES.full, GAMES.passes]) {
    await table.begin(server.url)
    for (const square of squares(game)) {
      await expect(table.square(square)).toHaveAttribute('data-legal', '')
      times.push(await click(table.page, square))
    }
  }
  console.log(`    click to the disc on the board, ${times.length} moves: ${spread(times.map((time) => time.placed))}`)
  console.log(`    click to kept on disk and turning: ${spread(times.map((time) => time.kept))}`)
  expect(times.length).toBe(120)
})

/** How long, in milliseconds of one processor, others were given what this machine wanted: a virtual one is told. */
function taken(): number {
  const all = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8') : ''
  return Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(all)?.[1] ?? 0) * 10
}

test('frames while discs turn', async ({ table, server }) => {
  await table.begin(server.url)
  const gaps: number[] = []
  let turned = 0
  // Of the late frames, those for which this machine had its processors to itself: they are the page's own.
  let own = 0
  const dropped = (gaps: number[]) => gaps.filter((gap) => gap > 25).length
  const before = taken()
  for (const square of squares(GAMES.full)) {
    await expect(table.square(square)).toHaveAttribute('data-legal', '')
    const had = taken()
    const found = await turning(table.page, square)
    gaps.push(...found.gaps)
    if (taken() === had) own += dropped(found.gaps)
    turned += found.turned
  }
  const late = dropped(gaps)
  const elsewhere = `${taken() - before} ms of processor time went to other machines`
  console.log(`    frames while ${turned} discs turn: ${gaps.length}, longest gap ${Math.max(...gaps).toFixed(1)} ms, dropped: ${late}`)
  console.log(`    dropped in moves for which nothing was taken from this machine: ${own} (in all, ${elsewhere})`)
  expect(gaps.length).toBeGreaterThan(500)
})

/** Plays there and counts frames from the moment the animations run until all discs have come to rest. */
function turning(page: Page, name: string): Promise<{ gaps: number[]; turned: number }> {
  return page.evaluate(
    (name) =>
      new Promise<{ gaps: number[]; turned: number }>((resolve) => {
        const gaps: number[] = []
        let last = 0
        let turned = 0
        let running = false
        const frame = (now: number) => {
          const discs = document.querySelectorAll('.turner')
          if (turned > 0 && discs.length === 0) return resolve({ gaps, turned })
          if (last > 0) gaps.push(now - last)
          last = running ? now : 0
          if (turned === 0 && discs.length > 0) {
            const started = [...discs].flatMap((disc) => disc.getAnimations({ subtree: true })).map((animation) => animation.ready)
            void Promise.all(started).then(() => (running = true))
          }
          turned = Math.max(turned, discs.length)
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
        document.querySelector<HTMLElement>(`[data-square=${name}]`)!.click()
      }),
    name,
  )
}
