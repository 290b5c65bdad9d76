import {
  closeSync, constants, createWriteStream, fstatSync, lstatSync, mkdirSync, openSync, renameSync, type WriteStream
} from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LinkedLog } from '../errors.js'

export interface LogFile {
  write (line: string): void
  truncate (): Promise<void>
  /** Resolves when everything is written. */
  close (): Promise<void>
}

export interface LogFileOptions {
  /** A larger file is renamed to `*.1`, replacing the previous one. */
  readonly mostBytes?: number
  /** Delay before a file that failed is opened again, ms. */
  readonly retryMs?: number
  /** Called once when it cannot be written, and once when it works again. */
  readonly warn: (message: string) => void
}

const MOST_BYTES = 10 * 1024 * 1024
const RETRY_MS = 5_000
/** Append; a pipe without a reader fails instead of blocking. */
const FOLLOWING = constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0)
const FLAGS = FOLLOWING | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
const EMPTY = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const OWNER_ONLY = 0o600

/** Standard streams of the process, which the system provides as links. */
const OUTPUT = /^\/dev\/(stdout|stderr|fd\/\d+)$/
const found = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/**
 * Opens it for appending. A terminal or a pipe may also be reached by a link; a regular file may not, as it could
 * belong to someone else.
 */
function openForLines (path: string): { fd: number, size: number } {
  const leadsElsewhere = !OUTPUT.test(path) && found(path)?.isSymbolicLink() === true
  const fd = openSync(path, leadsElsewhere ? FOLLOWING : FLAGS, OWNER_ONLY)
  const info = fstatSync(fd)
  if (!leadsElsewhere || !info.isFile()) return { fd, size: info.size }
  closeSync(fd)
  throw new LinkedLog(path)
}

/** A log that cannot be written drops lines but never stops the service, and resumes when there is space again. */
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
    size = 0 // if renaming failed, the file may grow by the same amount again
    const older = `${path}.1`
    try {
      // A device or a pipe is not renamed, whichever of the two names it has.
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

/** Leaves anything but a regular file unchanged. */
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

/** Missing; or a link, or a pipe without a reader. */
const NOT_TO_EMPTY = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO'])
