import {
  closeSync, constants, createWriteStream, fstatSync, lstatSync, mkdirSync, openSync, renameSync, type WriteStream
} from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LinkedLog } from '../errors.js'

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
const FOLLOWING = constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0)
const FLAGS = FOLLOWING | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
const EMPTY = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const OWNER_ONLY = 0o600

/** Of the process itself, which the system names by links. */
const OUTPUT = /^\/dev\/(stdout|stderr|fd\/\d+)$/
const found = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/**
 * Opens it for lines at its end. A terminal or a pipe is as good as a file, by a link too; another file is not, since
 * it is somebody else's.
 */
function openForLines (path: string): { fd: number, size: number } {
  const leadsElsewhere = !OUTPUT.test(path) && found(path)?.isSymbolicLink() === true
  const fd = openSync(path, leadsElsewhere ? FOLLOWING : FLAGS, OWNER_ONLY)
  const info = fstatSync(fd)
  if (!leadsElsewhere || !info.isFile()) return { fd, size: info.size }
  closeSync(fd)
  throw new LinkedLog(path)
}

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
      const opened = openForLines(path)
      size = opened.size
      stream = createWriteStream(path, { fd: opened.fd })
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
    size = 0 // where it cannot be renamed it stays as it is for as long again
    const older = `${path}.1`
    try {
      // A device or a pipe stays what it is, under either name.
      if ([path, older].some(each => found(each)?.isFile() === false)) return
      renameSync(path, older)
    } catch {
      return
    }
    stream?.end()
    open()
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
    if (lost > 0) warn(`the log file can be written again; ${lost === 1 ? '1 line is' : `${lost} lines are`} missing`)
    lost = 0
  }

  open()
  return {
    write,
    async truncate () {
      await emptyFile(path)
      size = 0
    },
    close: () => new Promise(resolve => {
      if (stream === undefined || stream.destroyed) resolve()
      else stream.once('error', () => resolve()).end(() => resolve())
    })
  }
}

/** Leaves alone what is no file. */
async function emptyFile (path: string): Promise<void> {
  const file = await openFile(path, EMPTY).catch((error: NodeJS.ErrnoException) => {
    if (!NOT_TO_EMPTY.has(error.code ?? '')) throw error
  })
  try {
    if ((await file?.stat())?.isFile() === true) await file?.truncate()
  } finally {
    await file?.close()
  }
}

/** There is none; or a link, or a pipe that nobody reads. */
const NOT_TO_EMPTY = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO'])
