import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CHUNK_BYTES, errorOf, failureOf, frame, FRAME, type Failure } from './encoding.js'

// A stream of bytes between two services with credit-based flow control: the reader grants the sender credit for what
// it has consumed, and no more than the window is ever in flight, so a slow reader slows the source down. The last part
// is signed and carries the digest of all others; without that proof the whole file is refused.

/** Bytes in flight at most. */
export const WINDOW_BYTES = 2 * 1024 ** 2
/** Buffer of the reader. */
const BUFFER_BYTES = 256 * 1024
const ALIVE_MS = 2_000
/** After this silence the other side counts as gone. */
const SILENT_MS = 10_000
const COUNT_BYTES = 4
/** Messages to a node begin with the key of the call. */
export const KEY_LENGTH = 36

const counted = (kind: number, count: number, content: Uint8Array | string = ''): Buffer => {
  const head = Buffer.alloc(COUNT_BYTES)
  head.writeUInt32BE(count)
  return frame(kind, Buffer.concat([head, typeof content === 'string' ? Buffer.from(content) : content]))
}

const lost = (why: string): Error => Object.assign(new Error(`The transfer was interrupted: ${why}`), { code: 'ECONNRESET' })

/** Content of the last part. */
interface Last { readonly digest: string, readonly error?: Failure }

/** @returns why the stream is not what was sent; undefined when it is complete */
function problemIn (last: Buffer | undefined, digest: string): Error | undefined {
  if (last === undefined) return lost('its end is not signed by the other service')
  const { digest: sent, error } = JSON.parse(last.toString()) as Last
  if (error) return errorOf(error)
  return sent === digest ? undefined : lost('what came is not what was sent')
}

/** One end of a stream. */
export interface StreamEnd {
  /** Takes a frame from the other end. */
  take (frame: Buffer): void
  /** Aborts the stream. */
  stop (reason: Error): void
}

/** Calls back when nothing was received for too long. */
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
  /** Masks secrets in errors before they leave this machine. */
  readonly redact: (text: string) => string
  readonly sign: (last: string) => Uint8Array
  /** Runs once, when nothing more will be sent. */
  readonly onEnd: () => void
}

/** Sends a source, as far as the receiver grants credit. */
export function sendStream (source: Readable, { send, redact, sign, onEnd }: SenderOptions): StreamEnd {
  const hash = createHash('sha256')
  let window = 0
  let count = 0
  let ended = false
  let pumping = false
  const watch = createWatch(() => end(lost('the receiver no longer reads it')))
  const alive = setInterval(() => send(counted(FRAME.part, count++)), ALIVE_MS).unref()

  function end (error?: Error | null): void {
    if (ended) return
    ended = true
    watch.end()
    clearInterval(alive)
    source.off('readable', pump)
    source.on('error', () => {}) // errors after the end have no recipient
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
  /** Sends credit to the sender. */
  readonly send: (frame: Buffer) => void
  /** @returns the signed content; undefined when the signature is not valid */
  readonly verify: (signed: Buffer) => Buffer | undefined
  /** Runs once, at the end of the stream. @param whole it was received completely */
  readonly onEnd: (whole: boolean) => void
}

/** A readable of what the other side sends. */
export function receiveStream ({ send, verify, onEnd }: ReceiverOptions): StreamEnd & { readonly body: Readable } {
  const hash = createHash('sha256')
  let expected = 0
  /** Credit to grant next: what was consumed since the last grant; initially the window. */
  let credit = WINDOW_BYTES
  let whole = false
  const watch = createWatch(() => stop(lost('the other service has fallen silent')))
  const grant = (): void => {
    const more = credit
    credit = 0
    send(counted(FRAME.taken, more))
  }
  const alive = setInterval(grant, ALIVE_MS).unref()
  const body = new Readable({
    highWaterMark: BUFFER_BYTES,
    read () { if (credit > 0) grant() },
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
        credit += content.length
        hash.update(content)
        body.push(content)
      }
    }
  }
}
