import { FTPError, type Client } from 'basic-ftp'
import { constants, createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ensureFolder } from './folders.js'
import type { ServerQuirks } from './server-quirks.js'
import type { FtpConnection } from './ftp-connection.js'
import { isFolder, sizeOf } from './path-kind.js'
import { parentOf } from './path.js'
import { SdCardError } from './sd-card-error.js'
import { withProgress } from './progress.js'
import { pipeline, Transform, type Readable } from 'node:stream'
import { transmit } from './transmit.js'
import type { SdCardTimeouts, SdCardUpload } from './types.js'

const CHUNK_BYTES = 256 * 1024
/** A symbolic link that replaced the file after the check is not followed. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)
const CUT_OFF = 426
const NOT_STORED = 451
/** Replies after which the size on the card decides whether the upload succeeded. */
const DOUBTFUL = new Set([CUT_OFF, NOT_STORED])
/** Replies of a server that cannot open the file. */
const NOT_OPENED = new Set([450, 550, 553])

/** @returns undefined if the server does not support AVBL; it is then not asked again */
export async function freeBytes (client: Client, quirks: ServerQuirks): Promise<number | undefined> {
  if (quirks.supportsAvbl === false) return undefined
  const { code, message } = await client.sendIgnoringError('AVBL')
  const [, bytes] = /^213 (\d{1,15})\s*$/.exec(message) ?? []
  quirks.supportsAvbl = code === 213 && bytes !== undefined
  return quirks.supportsAvbl ? Number(bytes) : undefined
}

/** An upload that cannot fit is not started: the file that it would replace stays complete. */
async function checkSpace (client: Client, quirks: ServerQuirks, path: string, more: number): Promise<void> {
  if (more <= 0) return
  const free = await freeBytes(client, quirks)
  if (free === undefined || more <= free) return
  throw new SdCardError('full', `Uploading ${path}: the card is full: ${more} more bytes are needed, ${free} are free`)
}

export const incomplete = (path: string, are: number | undefined, should: number) => new SdCardError('incomplete',
  `Of ${path} ${are ?? 'an unknown number'} of ${should} bytes were transferred`)

const notStored = (path: string, are: number | undefined, should: number, error: FTPError) => new SdCardError('full',
  `The printer stored ${are ?? 'an unknown number'} of ${should} bytes of ${path} and then gave up: the card is full, ` +
  `or damaged (${error.message})`, { cause: error })

const takenByFolder = (path: string, error: FTPError) => new SdCardError('is_folder',
  `${path} is a folder on the card: name the file in it too, such as ${path}/part.gcode.3mf`, { cause: error })

/** Asks once more whether the file may be written. The signal carries the answer past retries, unchanged. */
function lastCheck ({ signal, checkLast }: SdCardUpload) {
  const refused = new AbortController()
  return {
    signal: signal ? AbortSignal.any([signal, refused.signal]) : refused.signal,
    run (replaces: boolean): void {
      try {
        checkLast?.(replaces)
      } catch (error) {
        refused.abort(error)
        throw error
      }
    }
  }
}

/** Uploads a file; it counts as done only when the size on the card is right. */
export async function upload (connection: FtpConnection, quirks: ServerQuirks, timeouts: SdCardTimeouts,
  hostPath: string, path: string, options: SdCardUpload): Promise<{ size: number }> {
  const { onProgress } = options
  const { signal, run: check } = lastCheck(options)
  const { size: total } = await stat(hostPath)
  let before: number | undefined
  let replaces: boolean | undefined
  let isTouched = false

  async function store (client: Client): Promise<{ size: number }> {
    before ??= await sizeOf(client, path)
    replaces ??= before !== undefined // later it may be our own partial file
    await checkSpace(client, quirks, path, total - (before ?? 0))
    await ensureFolder(client, parentOf(path))
    check(replaces)
    const source = createReadStream(hostPath, { highWaterMark: CHUNK_BYTES, flags: READ_FLAGS as never })
    source.once('resume', () => { isTouched = true })
    let doubt: FTPError | undefined
    try {
      await withProgress(total, () => source.bytesRead, onProgress,
        () => transmit(client, quirks, timeouts, source, path))
    } catch (error) {
      if (!(error instanceof FTPError)) throw error
      if (NOT_OPENED.has(error.code) && await isFolder(client, path)) throw takenByFolder(path, error)
      if (!DOUBTFUL.has(error.code)) throw error
      doubt = error
    } finally {
      source.destroy()
    }
    const size = await sizeOf(client, path)
    if (size === total && source.bytesRead === total) return { size }
    if (doubt?.code === NOT_STORED) throw notStored(path, size, total, doubt)
    throw doubt ?? incomplete(path, size, total)
  }

  /** A partial file could be mistaken for a complete one. */
  async function removePartial (client: Client): Promise<void> {
    const now = await sizeOf(client, path)
    if (now === undefined || (!isTouched && now === before)) {
      left = undefined
      return
    }
    left = now
    await client.remove(path)
    left = undefined
  }
  /** Size of a partial file that may remain; -1 if unknown, undefined without one. */
  let left: number | undefined = -1

  try {
    return await connection.use({ what: `Uploading ${path}`, signal, run: store, repair: removePartial })
  } catch (error) {
    if (!(error instanceof SdCardError) || left === undefined || (left < 0 && !isTouched)) throw withGuess(error)
    throw new SdCardError(error.code,
      `${(withGuess(error) as SdCardError).message}. A partial file may be left on the card: ${path}`, { cause: error })
  }
}

/** Streams bytes. They cannot be sent twice, so there is a single attempt. */
export async function uploadFrom (connection: FtpConnection, quirks: ServerQuirks, timeouts: SdCardTimeouts,
  source: Readable, path: string, options: Omit<SdCardUpload, 'onProgress'>): Promise<{ size: number }> {
  const { signal, run: check } = lastCheck(options)
  let sent = 0
  let isTouched = false
  const counted = new Transform({
    highWaterMark: CHUNK_BYTES,
    transform (chunk: Buffer, _encoding, done) { sent += chunk.length; done(null, chunk) }
  })
  pipeline(source, counted, () => {}) // an end of the source ends the transfer
  try {
    return await connection.use({
      what: `Uploading ${path}`,
      signal,
      attempts: 1,
      async run (client) {
        if (options.checkLast) check(await sizeOf(client, path) !== undefined)
        counted.once('resume', () => { isTouched = true })
        await transmit(client, quirks, timeouts, counted, path)
        const size = await sizeOf(client, path)
        if (size !== undefined && size !== sent) throw incomplete(path, size, sent)
        return { size: sent }
      },
      /** A partial file could be mistaken for a complete one. */
      async repair (client) { if (isTouched) await client.remove(path) }
    })
  } catch (error) {
    throw withGuess(error)
  } finally {
    source.destroy()
  }
}

/** A full server may reset the data connection before its reply arrives. */
function withGuess<E> (error: E): E | SdCardError {
  if (!(error instanceof SdCardError) || error.code !== 'connection_lost' || !/data socket/.test(error.message)) return error
  return new SdCardError(error.code, `${error.message}; the card may be full or was taken out`, { cause: error })
}
