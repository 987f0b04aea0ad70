import { expect, it } from 'vitest'
import { inflateSync } from 'node:zlib'
import { codeIn, COMFORTABLE, isNewer, linkTo, pack, positionText } from './link.ts'

/** As the server does it: the version, then zlib in base64url. */
const unpack = (code: string) => (code.startsWith('1') ? inflateSync(Buffer.from(code.slice(1), 'base64url')).toString() : null)

const GAME = 'd3e3f5e6f4c4b4c5c6b6d6c3b2b3f2b1d7g5h5g1c2d1a7g6e2f3a1g4a3d8h3f6c8g3d2b8g2a4c1f7e8a2e1g7h4h2e7c7h7h6h1a6a8f1g8h8b7f8a5b5'
const TREE = `(;GM[2]PB[Ana Muñoz]PW[Бартоломей]C[¡Buena partida! 囲碁]${GAME.replace(/(..)(..)/g, ';B[$1];W[$2]')}(;B[a1]C[or so];W[b1])(;B[h8]))`

it('brings back every text, and a plain game is a short link', async () => {
  for (const text of ['', GAME, TREE, positionText('-'.repeat(64), 'white'), 'é'.repeat(3000)]) {
    expect(unpack(await pack(text))).toBe(text)
  }
  const link = linkTo(await pack(GAME), 'https://a-club-with-a-long-name.example.org/reversi/#/study/k7q2')
  expect(link).toMatch(/^https:\/\/a-club-with-a-long-name\.example\.org\/reversi\/#\/s\/1[\w-]+$/)
  expect(link.length).toBeLessThan(300)
  expect(linkTo(await pack(TREE), 'http://127.0.0.1:8464/').length).toBeLessThan(COMFORTABLE)
})

it('says that a newer program made it', async () => {
  expect([isNewer('2abc'), isNewer(await pack(GAME))]).toEqual([true, false])
})

it('finds the packed part of a link from any server', () => {
  expect(codeIn(' https://example.org/#/s/1abc-_9\n')).toBe('1abc-_9')
  expect(codeIn('#/s/1abc')).toBe('1abc')
  for (const other of ['f5d6', 'https://example.org/#/game/k7q2', 'see https://example.org/#/s/1abc', '#/s/']) expect(codeIn(other)).toBeNull()
})
