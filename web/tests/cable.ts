// The network between a page and the server: a cable on loopback that can be pulled, so that nothing gets through and nobody is told.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Cable {
  url: string
  /** Nothing arrives any more, in either direction. */
  cut: () => void
  /** Everything arrives again, what was sent meanwhile first: so it is when a network comes back. */
  mend: () => void
  close: () => void
}

export async function cable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to)
  const ends = new Set<Socket>()
  let whole = true
  const proxy = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(Number(port), hostname)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('data', (data) => other.write(data))
      end.on('end', () => other.end())
      end.on('error', () => other.destroy())
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      if (whole) end.resume()
      else end.pause()
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut: () => {
      whole = false
      for (const end of ends) end.pause()
    },
    mend: () => {
      whole = true
      for (const end of ends) end.resume()
    },
    close: () => {
      for (const end of ends) end.destroy()
      proxy.close()
    },
  }
}
