// The clocks on screen run between the server's messages, and tick aloud in the reader's last ten seconds.
import { remaining } from '../clock.ts'
import type { ClockView, Color } from '../protocol.ts'
import { sounds } from '../sound.ts'
import type { Game } from './game.svelte.ts'
import { prefs } from './prefs.svelte.ts'

export type RunningClock = ClockView & { now_ms: number }

/** Both clocks of a game as they stand now. To be called while a component is set up. */
export function clocks(game: Game): (colour: Color) => RunningClock | null {
  let now = $state(performance.now())
  let ticked = -1

  function of(colour: Color): RunningClock | null {
    const clocks = game.view?.clocks
    if (!clocks) return null
    const clock = clocks[colour]
    const running = clocks.running === colour
    return { ...clock, now_ms: running ? remaining(clock.left_ms, now - game.heardAt) : clock.left_ms }
  }

  $effect(() => {
    const view = game.view
    const running = view?.clocks?.running
    if (!view || !running) return
    const timer = setInterval(() => {
      now = performance.now()
      const left = of(running)?.now_ms ?? 0
      const second = Math.ceil(left / 1000)
      if (left > 0 && second <= 10 && second !== ticked && view.seats[running].you && prefs.sound) sounds.low()
      ticked = second
    }, 100)
    return () => clearInterval(timer)
  })
  $effect(() => {
    now = game.heardAt
  })
  return of
}
