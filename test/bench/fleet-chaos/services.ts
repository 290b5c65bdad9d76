import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../../helpers/programs.js'
import { CLI } from '../processes.js'

const UP_WITHIN_MS = 120_000
const RESTART_MS = 1_000

export interface ServiceOptions {
  readonly name: string
  readonly command: 'daemon' | 'hub'
  readonly folder: string
  readonly port: number
  readonly config: object
  /** Its clock can be set wrong, where libfaketime is installed. */
  readonly hasOwnClock?: boolean
}

/** The program tells by its own environment where its library lies. */
const clockOf = (file: string, faketime: string): NodeJS.ProcessEnv => ({
  LD_PRELOAD: execFileSync(faketime, ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim(),
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1'
})

/** A node or a hub in a process of its own, from the built package, which can be killed and comes back. */
export async function createService (options: ServiceOptions) {
  const { name, command, port, hasOwnClock = false } = options
  const folder = join(options.folder, name)
  const clock = join(folder, 'clock')
  const file = join(folder, 'config.json')
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify({ ...options.config, dataDir: join(folder, 'data'), log: { file: false } }))
  const setClock = (offset: string) => writeFile(clock, `${offset}\n`)
  await setClock('+0')
  const faketime = hasOwnClock ? findProgram('faketime') : undefined
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let since = 0
  let isWanted = false
  const died: string[] = []

  const isUp = () => fetch(`${url}/livez`, { signal: AbortSignal.timeout(5_000) })
    .then(async reply => { await reply.arrayBuffer(); return reply.ok }, () => false)
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null

  /** As a supervisor would: what ended by itself is noted, and begun again. */
  async function supervise (watched: ChildProcess, start: () => Promise<void>): Promise<void> {
    const [code, signal] = await once(watched, 'exit') as [number | null, NodeJS.Signals | null]
    if (!isWanted || watched !== child) return
    died.push(`${name} ended with ${code ?? signal} at ${new Date().toISOString()}; see ${folder}`)
    await sleep(RESTART_MS)
    if (isWanted) await start().catch((error: Error) => died.push(error.message))
  }

  return {
    name,
    url,
    /** How it ended without having been asked to. */
    died,
    hasClock: faketime !== undefined,
    get pid () { return child?.pid ?? 0 },
    get isRunning () { return isRunning() },
    /** ms since the epoch when it last began to answer. */
    get since () { return since },
    async start (): Promise<void> {
      isWanted = true
      const output = openSync(join(folder, 'output.txt'), 'a')
      const started = child = spawn(process.execPath, [CLI, command, '--config', file], {
        stdio: ['ignore', output, output],
        env: {
          ...process.env,
          ...(faketime !== undefined && clockOf(clock, faketime)),
          PRN_API_PORT: String(port),
          PRN_API_HOST: '127.0.0.1',
          PRN_PORT_STRICT: '1'
        }
      })
      void supervise(started, () => this.start())
      const until = Date.now() + UP_WITHIN_MS
      while (!await isUp()) {
        if (started.exitCode !== null) throw new Error(`${name} ended with ${started.exitCode}; see ${folder}`)
        if (Date.now() > until) throw new Error(`${name} does not answer; see ${folder}`)
        await sleep(100)
      }
      since = Date.now()
    },
    signal: (name: NodeJS.Signals) => { child?.kill(name) },
    setClock,
    async end (signal: NodeJS.Signals): Promise<void> {
      isWanted = false
      if (!isRunning() || child === undefined) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    }
  }
}
export type Service = Awaited<ReturnType<typeof createService>>
