import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../helpers/programs.js'
import { usageOf } from '../processes.js'

const PORT = 31_250
const MONITOR = 31_251

export interface Counted {
  readonly at: number
  readonly cpuMs: number
  readonly messages: number
  readonly bytes: number
}

/** One NATS server of this bench's own, without TLS, which counts what it is given. */
export async function startServer () {
  const program = findProgram('nats-server')
  if (program === undefined) throw new Error('nats-server is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-nats-'))
  const file = join(folder, 'nats.conf')
  await writeFile(file, `listen: 127.0.0.1:${PORT}\nhttp: 127.0.0.1:${MONITOR}\njetstream { store_dir: "${folder}" }\n`)
  const child = spawn(program, ['-c', file], { stdio: 'ignore' })
  const figures = async () => await (await fetch(`http://127.0.0.1:${MONITOR}/varz`)).json() as
    { in_msgs: number, in_bytes: number }
  while (!await figures().then(() => true, () => false)) await new Promise(resolve => setTimeout(resolve, 50))
  return {
    url: `nats://127.0.0.1:${PORT}`,
    async count (): Promise<Counted> {
      const { in_msgs: messages, in_bytes: bytes } = await figures()
      return { at: performance.now(), cpuMs: usageOf(child.pid ?? 0).cpuMs, messages, bytes }
    },
    async stop (): Promise<void> {
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill()
      await gone
      await rm(folder, { recursive: true, force: true })
    }
  }
}

export const nap = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN

/** ms until a service shows so many printers as connected. */
export async function complete (url: string, count: number, withinMs = 120_000): Promise<number> {
  const begin = performance.now()
  while (performance.now() - begin < withinMs) {
    const { printers } = await (await fetch(`${url}/api/printers`)).json() as { printers: { connected: boolean }[] }
    if (printers.filter(({ connected }) => connected).length >= count) return performance.now() - begin
    await nap(20)
  }
  throw new Error(`${url} does not show ${count} printers`)
}
