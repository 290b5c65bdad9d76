import type { Readable } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { AnyOperation, Kernel } from '../../../core/index.js'
import { Overloaded, Superseded, TooLarge } from '../errors.js'
import { KEY_LENGTH, receiveStream, sendStream, type StreamEnd } from '../stream.js'
import { signMessage, verifyMessage, type SigningKey } from '../signature.js'
import type { CallRequest } from '../types.js'
import {
  digestOf, encode, endSubject, failureOf, frame, FRAME, lastSubject, MOST_BYTES, MOST_MIB, piecesOf, withStream,
  type End
} from '../wire.js'
import type { Heart } from './beat.js'
import type { ProvenCall } from './verify-call.js'

const ALIVE_MS = 2_000
/** Of one hub, so that none can keep a node from another. */
const MOST_AT_ONCE = 256
/** Pictures and files on their way at once. */
const MOST_STREAMS = 64
/** A call that comes again within this time is answered, not done again. */
const REMEMBER_MS = 600_000
/** More writes of one hub are refused: one that is forgotten might be done twice. */
const MOST_REMEMBERED = 5_000
/** Larger answers of writes are not kept; whoever asks again learns that it was done. */
const MOST_KEPT_BYTES = 64 * 1024
/** So much is on its way at once. */
const WINDOW_PIECES = 16

interface Outcome { readonly bytes?: Buffer, readonly end: End, readonly stream?: Readable | undefined }

interface Running {
  readonly hub: string
  readonly isRead: boolean
  readonly outcome: Promise<Outcome>
  readonly controller: AbortController
  readonly replies: Set<string>
}

export interface CallsOptions {
  readonly kernel: Kernel
  readonly heart: Pick<Heart, 'isRecent'>
  readonly signingKey: SigningKey
  /** @returns undefined for what is not proven to come from a hub of ours, or came before */
  readonly verify: (message: Uint8Array) => ProvenCall | undefined
  /** Of a shared printer, as long as it is held here. */
  readonly epoch: (printer: string) => number | undefined
  readonly onDone: (operation: string, result: 'done' | 'refused') => void
}

/** Does what hubs ask for, once each. */
export function createCalls ({ kernel, heart, signingKey, verify, epoch, onDone }: CallsOptions) {
  const known = new Map<string, Running>()
  const forget = new Map<string, NodeJS.Timeout>()
  /** The streams of calls, by their keys. */
  const streams = new Map<string, StreamEnd>()
  const load = createLoad()

  function operationOf (request: CallRequest): AnyOperation | undefined {
    const operation = kernel.operations.get(request.operation)
    const isOffered = operation?.scope === 'printer' || (request.printer === ''
      ? operation?.atHub !== undefined
      : operation?.concerns?.(request.input) === request.printer)
    return operation !== undefined && isOffered && operation.runsHere !== true && (operation.effect === 'read') === request.isRead
      ? operation
      : undefined
  }

  /** @throws why nothing is begun; such a call takes no place, and may come again */
  function admit ({ request, hub }: ProvenCall): AnyOperation {
    const { printer, isRead, beat } = request
    const operation = operationOf(request)
    const isElsewhere = kernel.printers.get(printer)?.remote !== undefined
    if (operation === undefined || isElsewhere || !heart.isRecent(beat) || epoch(printer) !== request.epoch) {
      throw new Superseded(printer)
    }
    if (load.isFull(hub, isRead)) throw new Overloaded(printer)
    return operation
  }

  async function work ({ request, hub }: ProvenCall, operation: AnyOperation, controller: AbortController,
    progress: (content: readonly unknown[]) => void, tell: (content: Buffer) => void): Promise<Outcome> {
    let body: Readable | undefined
    try {
      const input = withStream(request.input, () => {
        body = receive(request.key, hub, tell)
        return body
      })
      const output = await kernel.call(operation, input, {
        printer: request.printer || undefined,
        caller: request.caller,
        host: request.host,
        surface: request.surface ?? 'fleet',
        via: `the hub with the key ${hub}`,
        signal: controller.signal,
        progress: (...told) => progress(told)
      })
      const { bytes, stream } = encode(output, kernel.redact)
      const isTooLarge = bytes.length > MOST_BYTES
      if (isTooLarge || (stream && streams.size >= MOST_STREAMS)) {
        stream?.on('error', () => {}).destroy()
        throw isTooLarge ? new TooLarge(`The answer of ${request.operation}`, MOST_MIB) : new Overloaded(request.printer)
      }
      onDone(request.operation, 'done')
      return { bytes, end: endOf(bytes), stream }
    } catch (error) {
      onDone(request.operation, 'refused')
      const failure = failureOf(error)
      return { end: { pieces: 0, error: JSON.parse(kernel.redact(JSON.stringify(failure))) as typeof failure } }
    } finally {
      body?.destroy()
    }
  }

  /** What the caller sends along. */
  function receive (key: string, hub: string, send: (content: Buffer) => void): Readable {
    const verifyLast = (signed: Buffer) => verifyMessage(signed, lastSubject(key), known => known === hub)?.content
    const incoming = receiveStream({ send, verify: verifyLast, onEnd: () => { streams.delete(key) } })
    streams.set(key, incoming)
    return incoming.body.on('error', () => {}) // whoever reads hears of it
  }

  function give (key: string, stream: Readable, reply: string, nats: NatsConnection): void {
    streams.set(key, sendStream(stream, {
      send: content => nats.publish(reply, content),
      redact: kernel.redact,
      sign: last => signMessage(signingKey, lastSubject(reply), last),
      onEnd: () => { streams.delete(key) }
    }))
  }

  function begin (call: ProvenCall, operation: AnyOperation, nats: NatsConnection): Running {
    const { request: { key, isRead }, hub } = call
    const replies = new Set<string>()
    const tell = (content: Buffer) => { for (const reply of replies) nats.publish(reply, content) }
    const controller = new AbortController()
    const alive = setInterval(() => tell(frame(FRAME.alive)), ALIVE_MS).unref()
    const release = load.take(hub, isRead)
    const progress = (content: readonly unknown[]) => tell(frame(FRAME.progress, JSON.stringify(content)))
    const outcome = work(call, operation, controller, progress, tell)
      .finally(() => {
        clearInterval(alive)
        release.work()
      })
    const entry = { hub, isRead, outcome, controller, replies }
    known.set(key, entry)
    void outcome.then(({ bytes, end }) => remember(key, entry, { end, ...(bytes && { bytes }) }, release.memory))
    return entry
  }

  function remember (key: string, entry: Running, { bytes, end }: Outcome, release: () => void): void {
    if (entry.isRead) {
      known.delete(key)
      return
    }
    const short = encode({}, text => text).bytes
    const isTooLarge = bytes !== undefined && bytes.length > MOST_KEPT_BYTES
    const kept = isTooLarge ? { bytes: short, end: endOf(short) } : { end, ...(bytes && { bytes }) }
    known.set(key, { ...entry, outcome: Promise.resolve(kept) })
    forget.set(key, setTimeout(() => {
      known.delete(key)
      forget.delete(key)
      release()
    }, REMEMBER_MS).unref())
  }

  const sendEnd = (reply: string, end: End, nats: NatsConnection): void =>
    nats.publish(reply, frame(FRAME.end, signMessage(signingKey, endSubject(reply), JSON.stringify(end))))

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
    if (stream && isNewest) give(key, stream, reply, nats)
    for (const [at, piece] of piecesOf(bytes ?? Buffer.alloc(0)).entries()) {
      nats.publish(reply, piece)
      if (at % WINDOW_PIECES === WINDOW_PIECES - 1) await nats.flush()
    }
    sendEnd(reply, end, nats)
  }

  return {
    /** @param message as it came; the answer goes where its signature says */
    take (message: Uint8Array, nats: NatsConnection, onFailure: (error: Error) => void): void {
      const call = verify(message)
      if (call === undefined) return
      const { key, reply } = call.request
      let entry = known.get(key)
      try {
        entry ??= begin(call, admit(call), nats)
      } catch (refusal) {
        onDone(call.request.operation, 'refused')
        return sendEnd(reply, { pieces: 0, error: failureOf(refusal) }, nats)
      }
      nats.publish(reply, frame(FRAME.alive)) // it has arrived
      answer(key, reply, entry, nats).catch(onFailure)
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
    close (): void {
      for (const timer of forget.values()) clearTimeout(timer)
      const closing = new Error('the node is closing')
      for (const { controller } of known.values()) controller.abort(closing)
      for (const stream of [...streams.values()]) stream.stop(closing)
    }
  }
}
export type Calls = ReturnType<typeof createCalls>

const endOf = (bytes: Buffer): End => ({ pieces: piecesOf(bytes).length, digest: digestOf(bytes) })

/** Counts what each hub has under way, and what is remembered of it. */
function createLoad () {
  const hubs = new Map<string, { running: number, remembered: number }>()
  const of = (hub: string) => {
    const found = hubs.get(hub) ?? { running: 0, remembered: 0 }
    hubs.set(hub, found) // as many as there are accepted keys
    return found
  }
  return {
    isFull (hub: string, isRead: boolean): boolean {
      const { running, remembered } = of(hub)
      return running >= MOST_AT_ONCE || (!isRead && remembered >= MOST_REMEMBERED)
    },
    /** @returns what ends each of the two */
    take (hub: string, isRead: boolean) {
      const load = of(hub)
      load.running++
      if (!isRead) load.remembered++
      return { work: () => { load.running-- }, memory: () => { load.remembered-- } }
    }
  }
}
