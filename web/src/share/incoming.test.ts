import { expect, it } from 'vitest'
import { inFiles, inText, LARGEST_TEXT } from './incoming.ts'

const PAGE = 'http://127.0.0.1:8464/#/games'

it('goes where a link of ours leads, and asks the server about everything else', () => {
  expect(inText(' \n', PAGE)).toEqual({ why: 'empty' })
  expect(inText('https://somewhere.example/#/s/1abc', PAGE)).toEqual({ go: '#/s/1abc' })
  expect(inText('http://127.0.0.1:8464/#/study/k7q2v8zk\n', PAGE)).toEqual({ go: '#/study/k7q2v8zk' })
  expect(inText('http://127.0.0.1:8464/#/join/k7q2/v8zk', PAGE)).toEqual({ go: '#/join/k7q2/v8zk' })
  for (const text of ['f5d6c3', 'https://elsewhere.example/#/game/k7q2', '(;GM[2];B[f5])', ' - - -\n']) expect(inText(text, PAGE)).toEqual({ text })
})

it('takes a large text for a collection', () => {
  expect(inText('f5'.repeat(LARGEST_TEXT), PAGE)).toEqual({ collection: true })
  expect(inText('f\n'.repeat(LARGEST_TEXT / 2 - 100), PAGE)).toEqual({ collection: true })
  expect('text' in inText('f5'.repeat(LARGEST_TEXT / 2 - 100), PAGE)).toBe(true)
})

it('reads a file of text in whatever encoding, and leaves the rest to the library', async () => {
  expect(await inFiles([new File(['f5d6c3'], 'game.txt')], PAGE)).toEqual({ text: 'f5d6c3' })
  const latin = Uint8Array.from([...'(;PB[Mu'].map((c) => c.charCodeAt(0)).concat(0xf1, ...[...'oz])'].map((c) => c.charCodeAt(0))))
  expect(await inFiles([new File([latin], 'game.sgf')], PAGE)).toEqual({ text: '(;PB[Muñoz])' })
  for (const bytes of [[0, 1, 2, 3], [0xff, 0xfe, 0, 1]]) expect(await inFiles([new File([Uint8Array.from(bytes)], 'WTH_2001.wtb')], PAGE)).toEqual({ collection: true })
  expect(await inFiles([new File(['f5'], 'a'), new File(['f5'], 'b')], PAGE)).toEqual({ collection: true })
  expect(await inFiles([new File(['x'.repeat(LARGEST_TEXT + 1)], 'many.ggf')], PAGE)).toEqual({ collection: true })
  expect(await inFiles([], PAGE)).toEqual({ why: 'empty' })
})
