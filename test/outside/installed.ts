// An installation of the built package outside this repository, as its users have it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { eventually } from '../helpers/eventually.js'
import { ownPorts } from '../helpers/ports.js'

export const ROOT = join(import.meta.dirname, '..', '..')

/** Builds when something changed since; `npm test` has done so already. */
export async function build (): Promise<void> {
  const { bringUpToDate } = await import(join(ROOT, 'presets', 'cli', 'prepare.mjs'))
  await bringUpToDate()
}

/** A folder of its own outside the repository; goes with the test. */
export async function outside (t: Test, files: Record<string, string | object> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'prnd-outside-')))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const [path, content] of Object.entries(files)) await place(join(folder, path), content)
  return folder
}

export async function place (path: string, content: string | object): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

/** What `npm install prnd` would put into a folder: the files that are published, and the dependencies. */
export async function install (folder: string): Promise<void> {
  const target = join(folder, 'node_modules', 'prnd')
  const { files } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
  await mkdir(target, { recursive: true })
  const published = files.filter(name => !name.startsWith('!')) // what is left out is small
  for (const file of [...published, 'package.json']) await cp(join(ROOT, file), join(target, file), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(target, 'node_modules'))
}

/** Makes a package of the repository's own dependencies visible in a folder. */
export async function lend (folder: string, name: string): Promise<void> {
  const target = join(folder, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  await symlink(join(ROOT, 'node_modules', name), target)
}

export const cliOf = (folder: string) => join(folder, 'node_modules', 'prnd', 'dist', 'presets', 'cli', 'main.js')

/** The variables of this process that say nothing about the service. */
const { PATH = '', HOME = '' } = process.env

/** Commands look in a pool for a running service: tests beside each other that do so need one each. */
export function poolOf (at: number, count: number) {
  const { start, end } = ownPorts(at, count)
  return { PRN_PORT_POOL_START: String(start), PRN_PORT_POOL_END: String(end) }
}
const POOL = poolOf(0, 100)

export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  stdout (): string
  stderr (): string
  /** Resolves with code and signal when the process is gone and everything it said has come. */
  readonly gone: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>
}

export interface Where { readonly cwd?: string, readonly env?: Record<string, string> }

/** Starts a program of Node's and kills it with the test at the latest. */
export function run (t: Test, args: readonly string[], { cwd, env = {} }: Where = {}): Running {
  const child = spawn(process.execPath, args, { cwd, env: { PATH, HOME, ...POOL, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => { out += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { err += text })
  const gone = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await gone
  })
  return { child, pid: child.pid ?? 0, stdout: () => out, stderr: () => err, gone }
}

/** Runs a program to its end. */
export async function finished (t: Test, args: readonly string[], options?: Where) {
  const running = run(t, args, options)
  running.child.stdin?.end()
  const [code, signal] = await running.gone
  return { code, signal, out: running.stdout(), err: running.stderr() }
}

/** Waits until a daemon prints its address. @returns the port */
export async function listening ({ stdout, stderr, child }: Running): Promise<number> {
  const port = () => Number(/localhost:(\d+)\/api$/m.exec(stdout())?.[1])
  await eventually(() => port() > 0 || child.exitCode !== null, 60_000)
  if (!(port() > 0)) throw new Error(`the daemon ended: ${stderr()}`)
  return port()
}
