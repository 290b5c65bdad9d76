import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CHUNK_BYTES, errorOf, failureOf, frame, FRAME, type Failure } from './wire.js'

// A stream of bytes between two services. Whoever reads says how much it has taken, and no more than the window is ever
// on its way: so a slow reader slows the source down, whatever lies between them. The last part is signed and has the
// digest of all others: a file whose end does not prove it is refused as a whole.

/** What may be on its way at once. */
export const WINDOW_BYTES = 2 * 1024 ** 2
/** Kept by a reader that is not read. */
const HELD_BYTES = 256 * 1024
const ALIVE_MS = 2_000
/** The other side is gone. */
const SILENT_MS = 10_000
const COUNT_BYTES = 4
/** What goes to a node begins with the key of the call. */
export const KEY_LENGTH = 36

const counted = (kind: number, count: number, content: Uint8Array | string = ''): Buffer => {
  const head = Buffer.alloc(COUNT_BYTES)
  head.writeUInt32BE(count)
  return frame(kind, Buffer.concat([head, typeof content === 'string' ? Buffer.from(content) : content]))
}

const lost = (why: string): Error => Object.assign(new Error(`The transfer was interrupted: ${why}`), { code: 'ECONNRESET' })

/** What the last part says. */
interface Last { readonly digest: string, readonly error?: Failure }

/** @returns why the stream is not what was sent; undefined when it is whole */
function problemIn (last: Buffer | undefined, digest: string): Error | undefined {
  if (last === undefined) return lost('its end is not signed by the other service')
  const { digest: sent, error } = JSON.parse(last.toString()) as Last
  if (error) return errorOf(error)
  return sent === digest ? undefined : lost('what came is not what was sent')
}

/** One end of a stream. */
export interface StreamEnd {
  /** Takes what came from the other end. */
  take (frame: Buffer): void
  /** Ends it, from outside. */
  stop (reason: Error): void
}

/** Tells when nothing has come for too long. */
function createWatch (onSilent: () => void) {
  let timer = setTimeout(onSilent, SILENT_MS).unref()
  return {
    heard (): void {
      clearTimeout(timer)
      timer = setTimeout(onSilent, SILENT_MS).unref()
    },
    end: () => clearTimeout(timer)
  }
}

export interface SenderOptions {
  readonly send: (frame: Buffer) => void
  /** Errors leave this machine without secrets. */
  readonly redact: (text: string) => string
  readonly sign: (last: string) => Uint8Array
  /** Runs once, when nothing more will be sent. */
  readonly onEnd: () => void
}

/** Sends what is read from a source, as much as is asked for. */
export function sendStream (source: Readable, { send, redact, sign, onEnd }: SenderOptions): StreamEnd {
  const hash = createHash('sha256')
  let window = 0
  let count = 0
  let ended = false
  let pumping = false
  const watch = createWatch(() => end(lost('nobody takes it any more')))
  const alive = setInterval(() => send(counted(FRAME.part, count++)), ALIVE_MS).unref()

  function end (error?: Error | null): void {
    if (ended) return
    ended = true
    watch.end()
    clearInterval(alive)
    source.off('readable', pump)
    source.on('error', () => {}) // what comes after the end is nobody's
    source.destroy()
    const last: Last = { digest: hash.digest('base64url'), ...(error && { error: failureOf(error) }) }
    send(counted(FRAME.last, count, sign(redact(JSON.stringify(last)))))
    onEnd()
  }

  function pump (): void {
    if (pumping) return
    pumping = true
    while (window > 0 && !source.destroyed) {
      const chunk = source.read() as Buffer | null
      if (chunk === null) break
      window -= chunk.length
      hash.update(chunk)
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
        send(counted(FRAME.part, count++, chunk.subarray(at, at + CHUNK_BYTES)))
      }
    }
    pumping = false
  }

  source.on('readable', pump).once('end', () => end()).once('error', end)
    .once('close', () => end(lost('its source ended early')))
  if (source.destroyed) end(source.errored ?? lost('its source ended early'))
  return {
    take (bytes) {
      if (ended || bytes[0] !== FRAME.taken || bytes.length < 1 + COUNT_BYTES) return
      watch.heard()
      window = Math.min(WINDOW_BYTES, window + bytes.readUInt32BE(1))
      pump()
    },
    stop: end
  }
}

export interface ReceiverOptions {
  /** Tells the sender how much more it may send. */
  readonly send: (frame: Buffer) => void
  /** @returns what was signed; undefined when it is not proven */
  readonly verify: (signed: Buffer) => Buffer | undefined
  /** Runs once, when nothing more is wanted. @param whole it came to its end */
  readonly onEnd: (whole: boolean) => void
}

/** A source of what the other side sends. */
export function receiveStream ({ send, verify, onEnd }: ReceiverOptions): StreamEnd & { readonly body: Readable } {
  const hash = createHash('sha256')
  let expected = 0
  /** What may be sent beyond what has been told: what the reader has got, and in the beginning the window. */
  let untold = WINDOW_BYTES
  let whole = false
  const watch = createWatch(() => stop(lost('the other service has fallen silent')))
  const tell = (): void => {
    const more = untold
    untold = 0
    send(counted(FRAME.taken, more))
  }
  const alive = setInterval(tell, ALIVE_MS).unref()
  const body = new Readable({
    highWaterMark: HELD_BYTES,
    read () { if (untold > 0) tell() },
    destroy (error, done) {
      watch.end()
      clearInterval(alive)
      onEnd(whole)
      done(error)
    }
  })
  const stop = (reason: Error): void => { if (!whole) body.destroy(reason) }

  return {
    body,
    stop,
    take (bytes) {
      const [kind] = bytes
      if (body.destroyed || whole || bytes.length < 1 + COUNT_BYTES) return
      if (kind !== FRAME.part && kind !== FRAME.last) return
      watch.heard()
      if (bytes.readUInt32BE(1) !== expected++) return stop(lost('a part was lost on the way'))
      const content = bytes.subarray(1 + COUNT_BYTES)
      if (kind === FRAME.last) {
        const problem = problemIn(verify(content), hash.digest('base64url'))
        if (problem) return stop(problem)
        whole = true
        watch.end()
        body.push(null)
      } else if (content.length > 0) {
        untold += content.length
        hash.update(content)
        body.push(content)
      }
    }
  }
}
