// Writes the games that the start page plays to itself: `node build/quiet-games.mjs PATH/TO/outflank`. The result is committed.
// They are our own engine's: `outflank match level:12 level:13 --games 4 --seed 11`, the second and the fourth.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const GAMES = [
  'f5f6c4f4e6c3d3e7g5d6e3g4g6h5h4h6h7e2f7c6c5d2c7b3f3d7b4h3h2g3c8d8c2a5c1g8f8e8h8e1f1f2a4b5a6g1b6a2d1b1a3a7b7a8b8g7g2h1b2a1',
  'f5f4e3d2d3e6d7c2f6c4g3c6c5d6e7b5c3b4b6c7a5a4f3a6f2e8b3f8e1d1e2f1c8a3d8b8b7g1b1g2c1a1h1g5g4g6h6f7g7h8g8a8b2h7a2h5h4h3h2a7',
]
const [outflank = 'outflank'] = process.argv.slice(2)
const name = (index) => `${'abcdefgh'[index % 8]}${Math.floor(index / 8) + 1}`

/** The board after so many moves: the rules are asked, not known here. */
function board(moves, at) {
  return JSON.parse(execFileSync(outflank, ['show', '--json', '--at', String(at), moves], { encoding: 'utf8' })).board.slice(0, 64)
}

/** Each move as the square played and the squares that turn: `f5e5`. */
function steps(moves) {
  const boards = Array.from({ length: moves.length / 2 + 1 }, (_, at) => board(moves, at))
  return boards.slice(1).map((after, at) => {
    const played = moves.slice(2 * at, 2 * at + 2)
    const turned = [...after].map((cell, i) => (cell !== boards[at][i] ? name(i) : played)).filter((square) => square !== played)
    return played + turned.join('')
  })
}

const file = fileURLToPath(new URL('../src/board/quiet-games.json', import.meta.url))
writeFileSync(file, `${JSON.stringify(GAMES.map(steps)).replace('[[', '[\n[').replaceAll('],[', '],\n[').replace(']]', ']\n]')}\n`)
