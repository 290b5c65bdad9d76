import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { childEnvironment } from '../../../core/index.js'

/** A program that is watched over until it is gone. */
export interface Child {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves once it is gone: how it went, or why it could not be started. */
  readonly gone: Promise<string>
  /** The end of what it complained of. */
  complaint (): string
  /** Asks it to end, and ends it after the grace. Resolves once it is gone. */
  stop (): Promise<void>
}

export interface ChildOptions {
  /** How long it may take to end when it is asked to, ms. */
  readonly graceMs: number
  /** It leaves the processor to everything else. */
  readonly lowPriority?: boolean
  /** It said something; once for each piece of it. */
  readonly onComplaint?: () => void
}

const TAIL_CHARS = 4_096

/** Those alive; if this process ends in any other way than by closing, they end with it. */
const alive = new Set<() => void>()
const killAll = () => { for (const kill of alive) kill() }

/** Starts a program without a shell; what it complains of is read for ever and only its end kept. */
export function startChild (program: string, args: readonly string[],
  { graceMs, lowPriority = false, onComplaint }: ChildOptions): Child {
  const child = spawn(program, args, { stdio: 'pipe', windowsHide: true, env: childEnvironment() })
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARS)
    onComplaint?.()
  })
  const streams = [child.stdin, child.stdout, child.stderr]
  for (const stream of streams) stream.on('error', () => {}) // it may end at any time
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
    // What it wrote last may still be on the way when it is gone.
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
  } catch {} // it has ended already, or the system does not allow it
}

/** How it ended, with what it said last. */
export function wordsOf (how: string, complaint: string): string {
  const words = complaint.split('\n').at(-1)
  return `${how}${words ? `: ${words}` : ''}`
}
