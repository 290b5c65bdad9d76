import type { Readable } from 'node:stream'
import type { NatsConnection, Msg } from '@nats-io/transport-node'
import type { AnyOperation, Kernel } from '../../../core/index.js'
import { Overloaded, Superseded, TooLarge } from '../errors.js'
import { KEY_LENGTH, receiveStream, sendStream, type StreamEnd } from '../stream.js'
import { CallRequest, checked } from '../types.js'
import {
  encode, endFrame, failureOf, frame, FRAME, MOST_BYTES, MOST_MIB, piecesOf, withStream, type End
} from '../wire.js'
import type { Heart } from './beat.js'

const ALIVE_MS = 2_000
const MOST_AT_ONCE = 256
/** Pictures and files on their way at once. */
const MOST_STREAMS = 64
/** A call that comes again within this time is answered, not done again. */
const REMEMBER_MS = 600_000
/** More writes are refused: one that is forgotten might be done twice. */
const MOST_REMEMBERED = 5_000
/** Larger answers of writes are not kept; whoever asks again learns that it was done. */
const MOST_KEPT_BYTES = 64 * 1024
/** So much is on its way at once. */
const WINDOW_PIECES = 16

const OVERLOADED = new Overloaded('').code

interface Outcome { readonly bytes?: Buffer, readonly end: End, readonly stream?: Readable | undefined }

interface Running {
  readonly outcome: Promise<Outcome>
  readonly controller: AbortController
  readonly replies: Set<string>
}

export interface CallsOptions {
  readonly kernel: Kernel
  readonly heart: Heart
  /** Of a shared printer, as long as it is held here. */
  readonly epoch: (printer: string) => number | undefined
  readonly onDone: (operation: string, result: 'done' | 'refused') => void
}

/** Does what hubs ask for, once each. */
export function createCalls ({ kernel, heart, epoch, onDone }: CallsOptions) {
  const known = new Map<string, Running>()
  const forget = new Map<string, NodeJS.Timeout>()
  /** The streams of calls, by their keys. */
  const streams = new Map<string, StreamEnd>()
  let running = 0

  function operationOf (request: CallRequest): AnyOperation | undefined {
    const operation = kernel.operations.get(request.operation)
    const isOffered = operation?.scope === 'printer' || (request.printer === ''
      ? operation?.atHub !== undefined
      : operation?.concerns?.(request.input) === request.printer)
    return operation !== undefined && isOffered && operation.runsHere !== true && (operation.effect === 'read') === request.isRead
      ? operation
      : undefined
  }

  async function work (request: CallRequest, controller: AbortController,
    progress: (content: readonly unknown[]) => void, tell: (content: Buffer) => void): Promise<Outcome> {
    let body: Readable | undefined
    try {
      const operation = operationOf(request)
      const session = kernel.printers.get(request.printer)
      if (!heart.isRecent(request.beat)) throw new Superseded(request.printer)
      if (epoch(request.printer) !== request.epoch) throw new Superseded(request.printer)
      if (operation === undefined || session?.remote !== undefined) throw new Superseded(request.printer)
      const isFull = !request.isRead && known.size >= MOST_REMEMBERED
      if (isFull || running >= MOST_AT_ONCE) throw new Overloaded(request.printer)
      running++
      const input = withStream(request.input, () => {
        body = receive(request.key, tell)
        return body
      })
      const output = await kernel.call(operation, input, {
        printer: request.printer || undefined,
        caller: request.caller,
        host: request.host,
        surface: request.surface ?? 'fleet',
        signal: controller.signal,
        progress: (...told) => progress(told)
      }).finally(() => { running-- })
      const { bytes, stream } = encode(output, kernel.redact)
      const isTooLarge = bytes.length > MOST_BYTES
      if (isTooLarge || (stream && streams.size >= MOST_STREAMS)) {
        stream?.on('error', () => {}).destroy()
        throw isTooLarge ? new TooLarge(`The answer of ${request.operation}`, MOST_MIB) : new Overloaded(request.printer)
      }
      onDone(request.operation, 'done')
      return { bytes, end: { pieces: piecesOf(bytes).length }, stream }
    } catch (error) {
      onDone(request.operation, 'refused')
      const failure = failureOf(error)
      return { end: { pieces: 0, error: JSON.parse(kernel.redact(JSON.stringify(failure))) as typeof failure } }
    } finally {
      body?.destroy()
    }
  }

  /** What the caller sends along. */
  function receive (key: string, send: (content: Buffer) => void): Readable {
    const incoming = receiveStream({ send, onEnd: () => { streams.delete(key) } })
    streams.set(key, incoming)
    return incoming.body.on('error', () => {}) // whoever reads hears of it
  }

  function give (key: string, stream: Readable, send: (content: Buffer) => void): void {
    streams.set(key, sendStream(stream, { send, redact: kernel.redact, onEnd: () => { streams.delete(key) } }))
  }

  function begin (request: CallRequest, nats: NatsConnection): Running {
    const replies = new Set<string>()
    const tell = (content: Buffer) => { for (const reply of replies) nats.publish(reply, content) }
    const controller = new AbortController()
    const alive = setInterval(() => tell(frame(FRAME.alive)), ALIVE_MS).unref()
    const outcome = work(request, controller, content => tell(frame(FRAME.progress, JSON.stringify(content))), tell)
      .finally(() => clearInterval(alive))
    const entry = { outcome, controller, replies }
    known.set(request.key, entry)
    void outcome.then(({ bytes, end }) => remember(request, entry, bytes, end))
    return entry
  }

  function remember ({ key, isRead }: CallRequest, entry: Running, bytes: Buffer | undefined, end: End): void {
    if (isRead || end.error?.code === OVERLOADED) { // nothing was done: it may come again
      known.delete(key)
      return
    }
    if (bytes !== undefined && bytes.length > MOST_KEPT_BYTES) {
      const short = encode({}, text => text).bytes
      known.set(key, { ...entry, outcome: Promise.resolve({ bytes: short, end: { pieces: 1 } }) })
    } else known.set(key, { ...entry, outcome: Promise.resolve({ end, ...(bytes && { bytes }) }) })
    forget.set(key, setTimeout(() => {
      known.delete(key)
      forget.delete(key)
    }, REMEMBER_MS).unref())
  }

  async function answer (key: string, reply: string, { outcome, replies }: Running, nats: NatsConnection):
  Promise<void> {
    replies.add(reply)
    const { bytes, end, stream } = await outcome
    const isNewest = [...replies].at(-1) === reply // of one who asked again, the earlier question is forgotten
    replies.delete(reply)
    if (nats.isClosed()) {
      stream?.destroy()
      return
    }
    if (stream && isNewest) give(key, stream, content => nats.publish(reply, content))
    for (const [at, piece] of piecesOf(bytes ?? Buffer.alloc(0)).entries()) {
      nats.publish(reply, piece)
      if (at % WINDOW_PIECES === WINDOW_PIECES - 1) await nats.flush()
    }
    nats.publish(reply, endFrame(end))
  }

  return {
    /** @param request as it came; one for another run of this node is not for us */
    take (message: Pick<Msg, 'data' | 'reply'>, nats: NatsConnection, onFailure: (error: Error) => void): void {
      const request = checked(CallRequest, message.data)
      if (request === undefined || request.run !== heart.run || !message.reply) return
      const { reply } = message
      const entry = known.get(request.key) ?? begin(request, nats)
      nats.publish(reply, frame(FRAME.alive)) // it has arrived
      answer(request.key, reply, entry, nats).catch(onFailure)
    },
    /** Whoever asked has gone. */
    cancel (key: string): void {
      const gone = new Error('the caller went away')
      known.get(key)?.controller.abort(gone)
      streams.get(key)?.stop(gone)
    },
    /** A message of a stream. */
    part (data: Uint8Array): void {
      const bytes = Buffer.from(data)
      streams.get(bytes.toString('latin1', 0, KEY_LENGTH))?.take(bytes.subarray(KEY_LENGTH))
    },
    get running () { return running },
    close (): void {
      for (const timer of forget.values()) clearTimeout(timer)
      const closing = new Error('the node is closing')
      for (const { controller } of known.values()) controller.abort(closing)
      for (const stream of [...streams.values()]) stream.stop(closing)
    }
  }
}
export type Calls = ReturnType<typeof createCalls>
