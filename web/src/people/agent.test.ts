import { expect, it } from 'vitest'
import { agentName } from './agent.ts'

it('says by which two words a browser is known', () => {
  const mozilla = (rest: string) => agentName(`Mozilla/5.0 ${rest}`).replace('\u00a0', ' ')
  expect(mozilla('(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox · Linux')
  expect(mozilla('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36')).toBe('Chrome · Windows')
  expect(mozilla('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0')).toBe('Edge · Windows')
  expect(mozilla('(iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1')).toBe('Safari · iPhone')
  expect(mozilla('(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36')).toBe('Chrome · Android')
  expect(agentName('curl/8.14')).toBe('curl/8.14')
  expect(agentName('')).toBe('')
})
