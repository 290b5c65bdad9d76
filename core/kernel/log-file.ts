import { constants, createWriteStream, mkdirSync, openSync, renameSync, statSync, type WriteStream } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface LogFile {
  write (line: string): void
  /** Empties it. */
  truncate (): Promise<void>
  /** Resolves when everything is written. */
  close (): Promise<void>
}

export interface LogFileOptions {
  /** A larger file becomes `*.1`, in place of the one before. */
  readonly mostBytes?: number
  /** Between two tries to open one that failed, ms. */
  readonly retryMs?: number
  /** Told once when it cannot be written, and once when it can be again. */
  readonly warn: (message: string) => void
}

const MOST_BYTES = 10 * 1024 * 1024
const RETRY_MS = 5_000
/** Appended to; a pipe without a reader is an error and not a wait. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK
const OWNER_ONLY = 0o600

/** A log that cannot be written loses lines, never stops the service, and goes on when there is room again. */
export function openLogFile (path: string, options: LogFileOptions): LogFile {
  const { mostBytes = MOST_BYTES, retryMs = RETRY_MS, warn } = options
  let stream: WriteStream | undefined
  let size = 0
  let lost = 0
  let failedAt = -Infinity

  function open (): void {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const fd = openSync(path, FLAGS, OWNER_ONLY)
      size = statSync(path).size
      stream = createWriteStream(path, { fd })
      stream.on('error', fail)
    } catch (error) {
      fail(error as Error)
    }
  }

  function fail ({ message }: Error): void {
    stream = undefined
    failedAt = performance.now()
    if (lost++ === 0) warn(`the log file cannot be written: ${message}`)
  }

  function rotate (): void {
    try {
      renameSync(path, `${path}.1`)
      stream?.end()
      open()
    } catch {
      size = 0 // it stays as it is for as long again
    }
  }

  function write (line: string): void {
    if (stream === undefined && performance.now() - failedAt < retryMs) {
      lost++
      return
    }
    if (stream === undefined) open()
    if (size > mostBytes) rotate()
    size += Buffer.byteLength(line)
    stream?.write(line, error => { if (!error) recovered() })
  }

  function recovered (): void {
    if (lost > 0) warn(`the log file can be written again; ${lost} lines are missing`)
    lost = 0
  }

  open()
  return {
    write,
    async truncate () {
      await truncate(path).catch((error: NodeJS.ErrnoException) => { if (error.code !== 'ENOENT') throw error })
      size = 0
    },
    close: () => new Promise(resolve => {
      if (stream === undefined || stream.destroyed) resolve()
      else stream.once('error', () => resolve()).end(() => resolve())
    })
  }
}
