// Another machine, as the server sees it: a proxy on loopback that says for whom it asks.
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const SAYS = { 'x-forwarded-for': '192.0.2.7' }

export async function elsewhere(url: string): Promise<{ url: string; close: () => void }> {
  const { hostname, port } = new URL(url)
  const forward = (from: IncomingMessage) =>
    request({ hostname, port, path: from.url, method: from.method, headers: { ...from.headers, ...SAYS } })
  const proxy: Server = createServer((from, to) => {
    const asked = forward(from)
    asked.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    asked.on('error', () => to.destroy())
    from.pipe(asked)
  })
  proxy.on('upgrade', (from, socket) => {
    const asked = forward(from)
    asked.on('upgrade', (answer, behind, head) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      // The server speaks first: its first words may have come along.
      socket.write(head)
      behind.pipe(socket).pipe(behind)
      behind.on('error', () => socket.destroy())
      socket.on('error', () => behind.destroy())
      // Who closes a page is gone, with or without a goodbye.
      socket.on('close', () => behind.destroy())
    })
    asked.on('error', () => socket.destroy())
    asked.end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
