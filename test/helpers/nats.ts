import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { eventually } from './eventually.js'
import { freePort } from './ports.js'
import { findProgram } from './programs.js'

const program = findProgram('nats-server')

/** Why it cannot run here; false when it can. */
export const NO_NATS: string | false = program === undefined ? 'nats-server is not installed' : false

export interface NatsServer {
  readonly url: string
  readonly port: number
  /** Ends it as a crash would, and waits until it has gone. */
  kill (): Promise<void>
  /** With what it had kept. */
  start (): Promise<void>
  /** It stands still, and its connections with it. */
  signal (name: 'SIGSTOP' | 'SIGCONT'): void
}

const isOpen = (port: number) => new Promise<boolean>(resolve => {
  const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true) })
  socket.once('error', () => resolve(false))
})

export interface NatsOptions {
  /** More lines of its configuration, such as users. */
  readonly config?: string
  /** @default a free one */
  readonly port?: number
  readonly scheme?: 'nats' | 'tls'
  readonly host?: string
  /** Off at a leaf node. @default true */
  readonly jetstream?: boolean
}

/** Starts a NATS server with JetStream; it ends with the test. */
export async function startNats (t: Pick<Test, 'teardown'>,
  { config = '', port: wanted, scheme = 'nats', host = '127.0.0.1', jetstream = true }: NatsOptions = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'prnd-nats-'))
  const port = wanted ?? await freePort()
  const file = join(folder, 'nats.conf')
  const store = `jetstream { store_dir: "${join(folder, 'store')}", max_memory_store: 64M, max_file_store: 4G }\n`
  await writeFile(file, `listen: 127.0.0.1:${port}\n${jetstream ? store : ''}${config}\n`)
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  const server: NatsServer = {
    url: `${scheme}://${host}:${port}`,
    port,
    async start () {
      const running = spawn(program ?? '', ['-c', file, '-l', join(folder, 'log')], { stdio: 'ignore' })
      child = running
      ended = new Promise(resolve => running.once('exit', resolve))
      await eventually(() => isOpen(port), 30_000)
    },
    async kill () {
      child?.kill('SIGKILL')
      await ended
    },
    signal: name => { child?.kill(name) }
  }
  t.teardown(async () => {
    await server.kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  await server.start()
  return server
}
