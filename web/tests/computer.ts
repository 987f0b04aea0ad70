// The computer with a script. The page and the server are real; only who holds White's seat is retold on the way to the page,
// and White's moves come from the test. What the computer itself would play no test can know.
import { randomUUID } from 'node:crypto'
import type { GameView } from '../src/protocol.ts'
import { expect, squares, type Page, type Table } from './table.ts'

/** A whole game against it: Black's moves by click, White's by the script. */
export async function playOut(table: Table, computer: ScriptedComputer, game: string): Promise<void> {
  for (const square of squares(game)) {
    if ((await table.turn()) === 'white') computer.play(square)
    else await table.play(square)
    await expect(table.square(square)).not.toHaveAttribute('data-disc', '')
  }
}

export interface ScriptedComputer {
  /** Plays one move for White. */
  play: (square: string) => void
}

/** To be called before the page is opened. */
export async function scriptedComputer(page: Page): Promise<ScriptedComputer> {
  let send: (message: object) => void = () => {}
  let at = { game: '', ply: 0 }
  await page.routeWebSocket(/\/api\/socket/, (near) => {
    const far = near.connectToServer()
    // An id that was used before, in another test too, would be answered as it was then.
    send = (message) => far.send(JSON.stringify({ id: `computer-${randomUUID()}`, ...message }))
    far.onMessage((text) => {
      const message = JSON.parse(String(text)) as { type: string; id?: string } & Partial<GameView>
      if (message.id?.startsWith('computer-')) return
      if (message.type === 'game' && message.view) {
        const view = message.view
        at = { game: message.game ?? '', ply: view.ply }
        if (view.seats.white.kind === 'person') {
          view.seats.white = { kind: 'computer', name: null, level: 1, you: false }
          if (view.turn === 'white') view.can = view.can.filter((what) => what !== 'play' && what !== 'hint')
        }
      }
      near.send(JSON.stringify(message))
    })
  })
  return { play: (square) => send({ type: 'play', square, ...at }) }
}
