import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { childEnvironment, environment } from '../../../core/index.js'

export interface RunLimits {
  readonly timeoutMs: number
  readonly memoryMiB: number
  /** Of one file that it writes. */
  readonly fileMiB: number
}

export interface RunOptions extends RunLimits {
  /** Its working folder, its home, and where its temporary files go. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Called with each line of output; very long ones are cut. */
  readonly onLine: (line: string) => void
  /** Called as soon as it runs. */
  readonly onStart?: (pid: number) => void
}

export interface Ended {
  /** null if a signal ended it. */
  readonly code: number | null
  readonly endSignal: NodeJS.Signals | null
  /** Its last lines. */
  readonly lastLines: readonly string[]
}

/** It took too long. */
export class ProgramTimeout extends Error {}

const MIB = 1024 ** 2
const LONGEST_LINE = 1_000
const KEPT_LINES = 12
/** The service and its printers come first. */
const NICENESS = 10

/** Where a program is in the search path; undefined if it is not there. */
export function whichProgram (name: string, path = environment().PATH ?? ''): string | undefined {
  return path.split(delimiter).map(folder => join(folder, name)).find(file => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * The same command within limits, where the system has programs for it: memory and size of files by `prlimit`, less
 * priority by `nice`, and an end together with the service, even a killed one, by `setpriv`. Each replaces itself by
 * the next one, so the process stays the service's child.
 */
export function limited (command: readonly string[], { memoryMiB, fileMiB }: RunLimits,
  which = whichProgram): readonly string[] {
  const prlimit = which('prlimit')
  const setpriv = which('setpriv')
  const nice = which('nice')
  return [
    ...prlimit === undefined ? [] : [prlimit, `--as=${memoryMiB * MIB}`, `--fsize=${fileMiB * MIB}`, '--core=0', '--'],
    ...setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--'],
    ...nice === undefined ? [] : [nice, '-n', String(NICENESS)],
    ...command
  ]
}

/** Calls back with each line; what is longer than a line should be is left out. */
function readLines (stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) onLine(line.slice(0, LONGEST_LINE))
  })
  stream.on('end', () => { if (rest !== '') onLine(rest) })
  stream.on('error', () => {})
}

/** After the end of a program its last lines are read for so long. */
const PIPES_MS = 2_000

/**
 * Runs a program in a process group of its own, with the smallest environment, and ends the whole group when the signal
 * fires or the time is over.
 * @throws the signal's reason, ProgramTimeout, or the error of starting it
 */
export async function runProgram (command: readonly string[], options: RunOptions): Promise<Ended> {
  const { folder, signal, timeoutMs, onLine, onStart } = options
  signal.throwIfAborted()
  const [program = '', ...args] = limited(command, options)
  const isWindows = process.platform === 'win32'
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...childEnvironment(), HOME: folder, USERPROFILE: folder, TMPDIR: folder, TMP: folder, TEMP: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true
  })
  const lastLines: string[] = []
  const take = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > KEPT_LINES) lastLines.shift()
    onLine(line)
  }
  readLines(child.stdout, take)
  readLines(child.stderr, take)
  if (child.pid !== undefined) onStart?.(child.pid)
  const end = () => {
    if (child.pid === undefined) return
    try {
      process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL')
    } catch {} // it has ended
  }
  // A helper in a process group of its own would hold them open for as long as it runs.
  child.once('exit', () => setTimeout(() => {
    child.stdout.destroy()
    child.stderr.destroy()
  }, PIPES_MS).unref())
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, timeoutMs)
  signal.addEventListener('abort', end, { once: true })
  try {
    const ended = await new Promise<Ended>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, endSignal) => resolve({ code, endSignal, lastLines }))
    })
    signal.throwIfAborted()
    if (isLate) throw new ProgramTimeout(`it took more than ${Math.round(timeoutMs / 1_000)} s`)
    return ended
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    end() // whatever it has begun
  }
}
