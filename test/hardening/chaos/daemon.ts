import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { openSync, readdirSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALLOCATOR, ENGINE } from '../../../presets/cli/memory-options.js'
import { CLI, usageOf } from '../../bench/processes.js'

const UP_WITHIN_MS = 60_000
const ASK_EVERY_MS = 20

export interface Usage { readonly cpuMs: number, readonly residentMb: number, readonly descriptors: number }

/** A daemon that can be killed and comes back over the same files. */
export interface Daemon {
  readonly folder: string
  readonly url: string
  /** @returns ms until it answered */
  start (): Promise<number>
  kill (): Promise<void>
  /** Ends it by SIGTERM. @returns ms until it was gone */
  stop (): Promise<number>
  usage (): Usage
}

export async function createDaemon (config: object, port: number): Promise<Daemon> {
  const folder = await mkdtemp(join(tmpdir(), 'prnd-chaos-'))
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify({ ...config, dataDir: join(folder, 'data') }))
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined

  const isUp = () => fetch(`${url}/readyz`).then(async reply => { await reply.arrayBuffer(); return reply.ok }, () => false)

  async function end (signal: NodeJS.Signals): Promise<number> {
    const begin = performance.now()
    if (child === undefined || child.exitCode !== null) return 0
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return performance.now() - begin
  }

  return {
    folder,
    url,
    async start () {
      const begin = performance.now()
      const started = child = spawn(process.execPath, [...ENGINE, CLI, 'daemon', '--config', file], {
        stdio: ['ignore', 'ignore', openSync(join(folder, 'stderr.txt'), 'a')],
        env: { ...process.env, ...ALLOCATOR, PRN_API_PORT: String(port), PRN_API_HOST: '127.0.0.1' }
      })
      while (!await isUp()) {
        if (started.exitCode !== null) throw new Error(`the daemon ended with ${started.exitCode}; see ${folder}`)
        if (performance.now() - begin > UP_WITHIN_MS) throw new Error(`the daemon does not answer; see ${folder}`)
        await sleep(ASK_EVERY_MS)
      }
      return performance.now() - begin
    },
    kill: async () => { await end('SIGKILL') },
    stop: () => end('SIGTERM'),
    usage () {
      const { pid = 0, exitCode, signalCode } = child ?? {}
      if (exitCode != null || signalCode != null) throw new Error(`the daemon ended with ${signalCode ?? exitCode}; see ${folder}`)
      return { ...usageOf(pid), descriptors: readdirSync(`/proc/${pid}/fd`).length }
    }
  }
}
