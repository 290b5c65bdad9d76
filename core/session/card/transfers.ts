import { FTPError, type Client } from 'basic-ftp'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Habits } from './habits.js'
import type { Line } from './line.js'
import { CardProblem, cardProblem } from './problem.js'
import type { CardProgress, CardSink, CardTransfer } from './types.js'

const CHUNK_BYTES = 256 * 1024
const PROGRESS_EVERY_MS = 250
/** Replies after which the size on the card tells what became of an upload. */
const DOUBTFUL = new Set([426, 451])

/** @returns undefined when there is no such file, or the server cannot tell */
export async function sizeOf (client: Client, path: string): Promise<number | undefined> {
  try {
    return await client.size(path)
  } catch (error) {
    if (error instanceof FTPError) return undefined
    throw error
  }
}

/** @returns undefined when the server does not tell; it is then not asked again */
export async function freeBytes (client: Client, habits: Habits): Promise<number | undefined> {
  if (habits.tellsSpace === false) return undefined
  const { code, message } = await client.sendIgnoringError('AVBL')
  const [, bytes] = /^213 (\d{1,15})\s*$/.exec(message) ?? []
  habits.tellsSpace = code === 213 && bytes !== undefined
  return habits.tellsSpace ? Number(bytes) : undefined
}

/** What would not fit is not begun: the file that it replaces is still whole. */
async function checkSpace (client: Client, habits: Habits, path: string, more: number): Promise<void> {
  if (more <= 0) return
  const free = await freeBytes(client, habits)
  if (free === undefined || more <= free) return
  throw new CardProblem('full', `Uploading ${path}: the card is full: ${more} more bytes are needed, ${free} are free`)
}

/** Tells how far a transfer has come, now and then and at its end. */
async function told<T> (total: number, bytes: () => number, onProgress: ((progress: CardProgress) => void) | undefined,
  work: () => Promise<T>): Promise<T> {
  if (onProgress === undefined) return await work()
  onProgress({ bytes: 0, total })
  const timer = setInterval(() => onProgress({ bytes: bytes(), total }), PROGRESS_EVERY_MS).unref()
  try {
    const outcome = await work()
    onProgress({ bytes: bytes(), total })
    return outcome
  } finally {
    clearInterval(timer)
  }
}

/** What was sent last still waits in buffers that a slow printer takes long to empty before it confirms. */
async function patient<T> (client: Client, work: () => Promise<T>): Promise<T> {
  const ftp = client.ftp as { timeout: number }
  const usual = ftp.timeout
  ftp.timeout = 2 * usual
  try {
    return await work()
  } finally {
    ftp.timeout = usual
  }
}

const incomplete = (path: string, are: number | undefined, should: number) => new CardProblem('incomplete',
  `Of ${path} ${are ?? 'an unknown number'} of ${should} bytes came through`)

/** Stores a file and does not believe it before the size on the card is right. */
export async function upload (line: Line, habits: Habits, hostPath: string, path: string,
  { signal, onProgress }: CardTransfer): Promise<{ size: number }> {
  const { size: total } = await stat(hostPath)
  let before: number | undefined
  let isTouched = false

  async function store (client: Client): Promise<{ size: number }> {
    before ??= await sizeOf(client, path)
    await checkSpace(client, habits, path, total - (before ?? 0))
    const source = createReadStream(hostPath, { highWaterMark: CHUNK_BYTES })
    source.once('resume', () => { isTouched = true })
    try {
      const send = () => client.uploadFrom(source, path)
      await told(total, () => source.bytesRead, onProgress, () => patient(client, send))
    } catch (error) {
      if (!(error instanceof FTPError && DOUBTFUL.has(error.code) && source.bytesRead >= total)) throw error
    } finally {
      source.destroy()
    }
    const size = await sizeOf(client, path)
    if (size !== total || source.bytesRead !== total) throw incomplete(path, size, total)
    return { size }
  }

  /** What stays of a failed upload would pass for a file. */
  async function clear (client: Client): Promise<void> {
    const now = await sizeOf(client, path)
    if (now === undefined || (!isTouched && now === before)) {
      left = undefined
      return
    }
    left = now
    await client.remove(path)
    left = undefined
  }
  /** Bytes of a file that is known, or must be feared, to be partial; -1 nobody knows. */
  let left: number | undefined = -1

  try {
    return await line.use({ what: `Uploading ${path}`, signal, run: store, repair: clear })
  } catch (error) {
    if (!(error instanceof CardProblem) || left === undefined || (left < 0 && !isTouched)) throw withGuess(error)
    throw new CardProblem(error.code,
      `${(withGuess(error) as CardProblem).message}. A partial file may be left on the card: ${path}`, { cause: error })
  }
}

/** A server that cannot store more may hang up on the bytes that still come, before its reason is heard. */
function withGuess<E> (error: E): E | CardProblem {
  if (!(error instanceof CardProblem) || error.code !== 'connection_lost' || !/data socket/.test(error.message)) return error
  return new CardProblem(error.code, `${error.message}; the card may be full or was taken out`, { cause: error })
}

/** Fetches a file and compares its size: an early end can look like success. */
export async function download (line: Line, path: string, sink: () => CardSink, { signal, onProgress }: CardTransfer):
Promise<{ size: number }> {
  const what = `Downloading ${path}`
  return await line.use({
    what,
    signal,
    async run (client) {
      const total = await client.size(path).catch(error => {
        const problem = cardProblem(error, what)
        if (problem.code !== 'unsupported') throw error
      })
      const target = sink()
      await told(total ?? 0, () => target.bytesWritten, onProgress, async () => {
        await client.downloadTo(target, path)
        await closed(target)
      })
      const bytes = target.bytesWritten
      if (total !== undefined && bytes !== total) {
        throw incomplete(path, bytes, total)
      }
      return { size: bytes }
    }
  })
}

/** Everything written is on disk, or failed to get there. */
async function closed (target: Writable): Promise<void> {
  if (target.closed) return
  await new Promise<void>((resolve, reject) => { target.once('close', resolve).once('error', reject) })
}
