// The real server binary, on a port of its own with a folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

function binary(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const target = process.env['CARGO_TARGET_DIR'] ?? join(root, 'target')
  const found = [process.env['OUTFLANK'], join(target, 'debug/outflank'), join(target, 'release/outflank')].find(
    (path) => path !== undefined && existsSync(path),
  )
  if (!found) throw new Error('There is no outflank binary to test: run `make binary` first.')
  return found
}

export class Server {
  url = ''
  #data = mkdtempSync(join(tmpdir(), 'outflank-page-'))
  #process: ChildProcess | null = null

  /** Starts, or starts again, on the same folder and, the second time, on the same port. */
  async start(...more: string[]): Promise<void> {
    const listen = this.url ? new URL(this.url).host : '127.0.0.1:0'
    // What it takes for the network is loopback too, by another port: no test lets anybody else in.
    const child = spawn(binary(), ['serve', '--listen', listen, '--network', '127.0.0.1', '--data', this.#data, '--no-open', ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
    })
    this.#process = child
    this.url = await new Promise<string>((resolve, reject) => {
      let said = ''
      const read = (chunk: Buffer) => {
        said += chunk.toString()
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
        if (address) resolve(address[0])
      }
      child.stdout?.on('data', read)
      child.stderr?.on('data', read)
      child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
    })
  }

  /** As if someone pulled the plug. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.on('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.#data, { recursive: true, force: true })
  }
}
