import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { childEnvironment } from '../../../core/index.js'

/** A child process that is supervised until it has exited. */
export interface Child {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves once it has exited, with how; or with the reason why it could not be started. */
  readonly gone: Promise<string>
  /** The last part of what it wrote to stderr. */
  complaint (): string
  /** Asks it to exit, and kills it after the grace time. Resolves once it has exited. */
  stop (): Promise<void>
}

export interface ChildOptions {
  /** How long it may take to exit when asked to, ms. */
  readonly graceMs: number
  /** Gives other processes priority. */
  readonly lowPriority?: boolean
  /** Called for each chunk written to stderr. */
  readonly onComplaint?: () => void
}

const TAIL_CHARS = 4_096

/** Running children; they are killed if this process exits without closing them. */
const alive = new Set<() => void>()
const killAll = () => { for (const kill of alive) kill() }

/** Starts a program without a shell. All of its stderr is read, but only the end is stored. */
export function startChild (program: string, args: readonly string[],
  { graceMs, lowPriority = false, onComplaint }: ChildOptions): Child {
  const child = spawn(program, args, { stdio: 'pipe', windowsHide: true, env: childEnvironment() })
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARS)
    onComplaint?.()
  })
  const streams = [child.stdin, child.stdout, child.stderr]
  for (const stream of streams) stream.on('error', () => {}) // it may exit at any time
  if (lowPriority && child.pid !== undefined) lower(child.pid)
  const kill = () => { child.kill('SIGKILL') }
  if (alive.size === 0) process.once('exit', killAll)
  alive.add(kill)
  let timer: NodeJS.Timeout | undefined

  const gone = new Promise<string>(resolve => {
    const settle = (how: string) => {
      clearTimeout(timer)
      alive.delete(kill)
      if (alive.size === 0) process.off('exit', killAll)
      for (const stream of streams) stream.destroy() // a grandchild may hold the other end
      resolve(how)
    }
    child.once('error', error => { if (child.pid === undefined) settle(error.message) })
    // Its last output may arrive after it has exited.
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `ended by ${signal}`
      const done = () => { clearTimeout(late); settle(how) }
      const late = setTimeout(done, LAST_WORDS_MS)
      child.once('close', done)
    })
  })

  return {
    pid: child.pid,
    stdin: child.stdin,
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

const LAST_WORDS_MS = 200

function lower (pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {} // it has exited already, or the system does not allow it
}

/** How it exited, with its last error output. */
export function wordsOf (how: string, complaint: string): string {
  const words = complaint.split('\n').at(-1)
  return `${how}${words ? `: ${words}` : ''}`
}
