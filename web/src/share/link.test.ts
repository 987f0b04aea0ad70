import { expect, it } from 'vitest'
import { codeIn, COMFORTABLE, linkTo, pack, positionText, unpack } from './link.ts'

const GAME = 'd3e3f5e6f4c4b4c5c6b6d6c3b2b3f2b1d7g5h5g1c2d1a7g6e2f3a1g4a3d8h3f6c8g3d2b8g2a4c1f7e8a2e1g7h4h2e7c7h7h6h1a6a8f1g8h8b7f8a5b5'
const TREE = `(;GM[2]PB[Ana Muñoz]PW[Бартоломей]C[¡Buena partida! 囲碁]${GAME.replace(/(..)(..)/g, ';B[$1];W[$2]')}(;B[a1]C[or so];W[b1])(;B[h8]))`

it('brings back every text, and a plain game is a short link', async () => {
  for (const text of ['', GAME, TREE, positionText('-'.repeat(64), 'white'), 'é'.repeat(3000)]) {
    expect(await unpack(await pack(text))).toEqual({ text })
  }
  const link = linkTo(await pack(GAME), 'https://a-club-with-a-long-name.example.org/reversi/#/study/k7q2')
  expect(link).toMatch(/^https:\/\/a-club-with-a-long-name\.example\.org\/reversi\/#\/s\/1[\w-]+$/)
  expect(link.length).toBeLessThan(300)
  expect(linkTo(await pack(TREE), 'http://127.0.0.1:8464/').length).toBeLessThan(COMFORTABLE)
})

it('notices any damage: a character changed or lost', async () => {
  const code = await pack(GAME)
  const other = (c: string) => (c === 'A' ? 'B' : 'A')
  for (let i = 0; i < code.length; i++) {
    const changed = code.slice(0, i) + other(code[i] ?? '') + code.slice(i + 1)
    const result = await unpack(changed)
    // The last characters of base64 hold bits that mean nothing.
    if (!('text' in result && result.text === GAME && i === code.length - 1)) expect(result, `${i}`).toEqual({ why: 'damaged' })
  }
  for (const cut of [1, 2, 3, 5, 20, code.length - 1]) expect(await unpack(code.slice(0, -cut))).toEqual({ why: 'damaged' })
  for (const wrong of ['', '1', '1%%%', `0${code.slice(1)}`, 'x']) expect(await unpack(wrong), wrong).toEqual({ why: 'damaged' })
})

it('says that a newer program made it, and does not unpack without end', async () => {
  expect(await unpack('2abc')).toEqual({ why: 'newer' })
  expect(await unpack(await pack('a'.repeat(5_000_000)))).toEqual({ why: 'damaged' })
})

it('finds the packed part of a link from any server', () => {
  expect(codeIn(' https://example.org/#/s/1abc-_9\n')).toBe('1abc-_9')
  expect(codeIn('#/s/1abc')).toBe('1abc')
  for (const other of ['f5d6', 'https://example.org/#/game/k7q2', 'see https://example.org/#/s/1abc', '#/s/']) expect(codeIn(other)).toBeNull()
})
