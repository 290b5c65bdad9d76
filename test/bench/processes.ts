import { fork, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
export const CLI = join(here, '..', '..', 'dist', 'presets', 'cli', 'main.js')

/** A daemon, a hub, or the application for one printer, in a process of its own, from the built package. */
export interface DaemonProcess {
  readonly pid: number
  readonly url: string
  /** ms from its birth to its first answer. */
  readonly startedInMs: number
  /** Ends it by SIGTERM. @returns ms until it was gone */
  stop (): Promise<number>
}

/** A bench that fails leaves nothing behind. */
function endWithUs (child: ChildProcess): void {
  const end = (): void => { child.kill('SIGKILL') }
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** @param command the daemon, unless a hub or the application for one printer is meant */
export async function startDaemon (config: object, port: number, command: 'daemon' | 'app' | 'hub' = 'daemon'): Promise<DaemonProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify({ ...config, dataDir: join(folder, 'data') }))
  const born = performance.now()
  const child = spawn(process.execPath, [CLI, command, '--config', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PRN_API_PORT: String(port), PRN_API_HOST: '127.0.0.1' }
  })
  endWithUs(child)
  const url = `http://127.0.0.1:${port}`
  await answers(`${url}/api/${command === 'app' ? 'get_all_data' : 'printers'}`, child)
  const startedInMs = performance.now() - born
  return {
    pid: child.pid ?? 0,
    url,
    startedInMs,
    async stop () {
      const asked = performance.now()
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
      const took = performance.now() - asked
      await rm(folder, { recursive: true, force: true })
      return took
    }
  }
}

async function answers (url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const good = await fetch(url).then(reply => { void reply.arrayBuffer(); return reply.ok }, () => false)
    if (good) return
    await nap(5)
  }
  throw new Error(`the daemon ended with ${child.exitCode}`)
}

/** Another script of this folder, spoken to by messages. */
export async function startHelper<Hello> (name: string, args: readonly string[]) {
  const child = fork(join(here, `${name}.ts`), [...args],
    { execArgv: ['--import=tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  endWithUs(child)
  const hello = await new Promise<Hello>((resolve, reject) => {
    child.once('message', message => resolve(message as Hello))
    child.once('exit', code => reject(new Error(`${name} ended with ${code}`)))
  })
  return {
    hello,
    child,
    stop: () => new Promise<void>(resolve => { child.once('exit', () => resolve()); child.kill() })
  }
}

export const ask = <Answer>(child: ChildProcess, question: unknown): Promise<Answer> =>
  new Promise(resolve => { child.once('message', answer => resolve(answer as Answer)); child.send(question as object) })

/** CPU time of a process so far, ms; and its resident memory, MB. Linux only. */
export function usageOf (pid: number): { cpuMs: number, residentMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [utime = 0, stime = 0] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number)
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return { cpuMs: (utime + stime) * 10, residentMb: pages * 4096 / 1024 / 1024 }
}

/** CPU time of the children that a process has had, ms: those that have ended, and those that run. Linux only. */
export function childrenCpuMs (pid: number): number {
  const fieldsOf = (of: string) => {
    const stat = readFileSync(`/proc/${of}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  }
  const ended = fieldsOf(String(pid)).slice(13, 15).map(Number)
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(name => {
    try {
      const fields = fieldsOf(name)
      return fields[1] === String(pid) ? fields.slice(11, 15).map(Number) : []
    } catch {
      return [] // gone meanwhile
    }
  })
  return [...ended, ...running].reduce((sum, ticks) => sum + ticks, 0) * 10
}
