import { constants, open } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runProgram, whichProgram } from './run-program.js'

/** A named pipe to which a slicer writes how far it is. */
export interface ProgressPipe {
  readonly path: string
  close (): void
}

/** Of a message; the programs cut theirs at 512 bytes. */
const LONGEST_LINE = 4_096
const LONGEST_STEP = 200
const MAKE_LIMITS = { timeoutMs: 5_000, memoryMiB: 512, fileMiB: 1 }

/** One message, such as `{"total_percent":40,"message":"Generating walls"}`; undefined for what is none. */
function progressIn (line: string): { readonly percent: number, readonly step: string } | undefined {
  try {
    const { total_percent: percent, message } = JSON.parse(line) as Record<string, unknown>
    if (typeof percent !== 'number' || !Number.isFinite(percent)) return undefined
    return { percent: Math.min(100, Math.max(0, percent)), step: typeof message === 'string' ? message.slice(0, LONGEST_STEP) : '' }
  } catch {
    return undefined // it was cut
  }
}

/**
 * Makes a pipe in a folder and listens to it. Only the builds for Linux write to one.
 * @returns undefined where the system has none
 */
export async function openProgressPipe (
  folder: string, signal: AbortSignal, onProgress: (percent: number, step: string) => void
): Promise<ProgressPipe | undefined> {
  const mkfifo = process.platform === 'linux' ? whichProgram('mkfifo') : undefined
  if (mkfifo === undefined) return undefined
  const path = join(folder, 'progress')
  const { code } = await runProgram([mkfifo, '-m', '600', path], { ...MAKE_LIMITS, folder, signal, onLine () {} })
  if (code !== 0) return undefined
  // Open for writing too: the pipe then neither waits for the slicer nor ends before it.
  const fd = await promisify(open)(path, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd, readable: true, writable: false })
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-LONGEST_LINE)
    for (const line of lines) {
      const found = progressIn(line)
      if (found) onProgress(found.percent, found.step)
    }
  })
  return { path, close: () => { socket.destroy() } }
}
