import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { initialize } from './connect.js'

const root = join(import.meta.dirname, '..', '..', '..')
export const COMMAND = process.execPath
/** Compiled as this file is, or through the loader that this file came through. */
const COMPILED = fileURLToPath(new URL('../../../presets/cli/main.js', import.meta.url))
const MAIN = existsSync(COMPILED) ? [COMPILED] : ['--import=tsx', join(root, 'presets', 'cli', 'main.ts')]

/** A program that is compiled as it starts, on a machine that does other things too. */
export const START_WITHIN_MS = 60_000

/** Only what Node needs of this machine's own environment. */
const OWN = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', TMPDIR: process.env.TMPDIR ?? '/tmp' }

export interface Place {
  /** For both configuration and data. */
  readonly folder: string
  /** The only port that is looked at and bound. */
  readonly port: number
  readonly config?: object
  readonly env?: Record<string, string>
}

export async function environmentOf ({ folder, port, config = {}, env = {} }: Place): Promise<Record<string, string>> {
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(config))
  return {
    ...OWN,
    PRN_CONFIG: file,
    PRN_DATA_DIR: join(folder, 'data'),
    PRN_PORT_POOL_START: String(port),
    PRN_PORT_POOL_END: String(port),
    PRN_API_HOST: '127.0.0.1',
    ...env
  }
}

export const argumentsOf = (command: string): string[] => [...MAIN, command]

export interface Child {
  readonly process: ChildProcess
  stdout (): string
  stderr (): string
  /** Its exit code, once it is gone. */
  gone (): Promise<{ code: number | null }>
}

export function start (t: Test, command: string, env: Record<string, string>): Child {
  const child = spawn(COMMAND, argumentsOf(command), { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => { out += text })
  child.stderr.setEncoding('utf8').on('data', text => { err += text })
  child.stdin.on('error', () => {}) // it may be gone already
  const exit = once(child, 'exit')
  t.teardown(() => { child.kill('SIGKILL') })
  return {
    process: child,
    stdout: () => out,
    stderr: () => err,
    async gone () {
      const [code] = await exit as [number | null]
      return { code }
    }
  }
}

export interface Talk extends Child {
  send (message: object): void
  /** Sends a request and waits for its answer. */
  ask (method: string, params?: object, withinMs?: number): Promise<any>
  /** Every message that came, oldest first. @throws for a line that is none */
  messages (): any[]
}

/** An agent's side of `prnd mcp`, without the official client, to see every byte. */
export async function talk (t: Test, env: Record<string, string>): Promise<Talk> {
  const child = start(t, 'mcp', env)
  let asked = 0
  const send = (message: object) => { child.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) }
  const messages = () => child.stdout().split('\n').filter(line => line !== '').map(line => JSON.parse(line))
  async function ask (method: string, params: object = {}, withinMs = 15_000) {
    const id = `q${++asked}`
    send({ id, method, params })
    const answer = () => messages().find(message => message.id === id)
    await eventually(() => answer() !== undefined, withinMs)
    return answer()
  }
  await ask('initialize', initialize().params, START_WITHIN_MS)
  send({ method: 'notifications/initialized' })
  return { ...child, send, ask, messages }
}
