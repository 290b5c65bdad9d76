import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { childEnvironment } from '../../../core/index.js'

/** A program that is watched over until it is gone. */
export interface FfmpegProcess {
  readonly pid: number | undefined
  readonly stdout: Readable
  /** Resolves once it is gone: how it went, or why it could not be started. */
  readonly gone: Promise<string>
  /** The end of what it complained of. */
  complaint (): string
  /** Asks it to end, and ends it after the grace. Resolves once it is gone. */
  stop (): Promise<void>
}

const TAIL_CHARS = 4_096

/** Those alive; if this process ends in any other way than by closing, they end with it. */
const alive = new Set<() => void>()
const killAll = () => { for (const kill of alive) kill() }

/** Starts a program without a shell; what it complains of is read for ever and only its end kept. */
export function startFfmpeg (program: string, args: readonly string[], graceMs: number): FfmpegProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, env: childEnvironment() })
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => { tail = (tail + text).slice(-TAIL_CHARS) })
  child.stderr.on('error', () => {})
  child.stdout.on('error', () => {})
  const kill = () => { child.kill('SIGKILL') }
  if (alive.size === 0) process.once('exit', killAll)
  alive.add(kill)
  let timer: NodeJS.Timeout | undefined

  const gone = new Promise<string>(resolve => {
    const settle = (how: string) => {
      clearTimeout(timer)
      alive.delete(kill)
      if (alive.size === 0) process.off('exit', killAll)
      child.stdout.destroy() // a grandchild may hold the other end
      child.stderr.destroy()
      resolve(how)
    }
    child.once('error', error => { if (child.pid === undefined) settle(error.message) })
    child.once('exit', (code, signal) => settle(signal === null ? `exit code ${code}` : `ended by ${signal}`))
  })

  return {
    pid: child.pid,
    stdout: child.stdout,
    gone,
    complaint: () => tail.trim(),
    async stop () {
      if (alive.has(kill) && timer === undefined) {
        child.kill('SIGTERM')
        timer = setTimeout(kill, graceMs)
      }
      await gone
    }
  }
}
