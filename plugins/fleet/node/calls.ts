import type { Readable } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { AnyOperation, Kernel } from '../../../core/index.js'
import { Overloaded, Superseded, TooLarge } from '../errors.js'
import { KEY_LENGTH, receiveStream, sendStream, type StreamEnd } from '../stream.js'
import { signMessage, verifyMessage, type SigningKey } from '../signed-message.js'
import type { CallRequest } from '../types.js'
import {
  digestOf, encode, endSubject, failureOf, frame, FRAME, lastSubject, MOST_BYTES, MOST_MIB, piecesOf, withStream,
  type End
} from '../encoding.js'
import type { HeartbeatSender } from './heartbeat.js'
import type { ProvenCall } from './verify-call.js'

const ALIVE_MS = 2_000
/** Per hub, so that no hub can block a node for the others. */
const MOST_AT_ONCE = 256
/** Pictures and files in transit at once. */
const MOST_STREAMS = 64
/** A write that is repeated within this time is answered from memory, not run again. */
const REMEMBER_MS = 600_000
/** Beyond this, writes of a hub are refused: one that was evicted could run twice. */
const MOST_REMEMBERED = 5_000
/** Larger answers are not retained; a repeated call then only learns that it was done. */
const MOST_RETAINED_BYTES = 64 * 1024
/** Pieces sent before a flush. */
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
  readonly heartbeat: Pick<HeartbeatSender, 'isRecent'>
  readonly signingKey: SigningKey
  /** @returns undefined for a message that no accepted hub has signed, or for a replay */
  readonly verify: (message: Uint8Array) => ProvenCall | undefined
  /** Of a shared printer, while it is held here. */
  readonly epoch: (printer: string) => number | undefined
  readonly onDone: (operation: string, result: 'done' | 'refused') => void
}

/** Runs the calls of hubs, each exactly once. */
export function createCalls ({ kernel, heartbeat, signingKey, verify, epoch, onDone }: CallsOptions) {
  const known = new Map<string, Running>()
  const forget = new Map<string, NodeJS.Timeout>()
  /** Streams by the key of their call. */
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

  /** @throws the reason for a refusal; a refused call is not remembered and may be repeated */
  function admit ({ request, hub }: ProvenCall): AnyOperation {
    const { printer, isRead, beat: heartbeatNumber } = request
    const operation = operationOf(request)
    const isElsewhere = kernel.printers.get(printer)?.remote !== undefined
    const isLate = !heartbeat.isRecent(heartbeatNumber)
    if (operation === undefined || isElsewhere || isLate || epoch(printer) !== request.epoch) {
      throw new Superseded(printer)
    }
    if (load.isFull(hub, isRead)) throw new Overloaded(printer)
    return operation
  }

  async function work ({ request, hub }: ProvenCall, operation: AnyOperation, controller: AbortController,
    progress: (content: readonly unknown[]) => void, broadcast: (content: Buffer) => void): Promise<Outcome> {
    let body: Readable | undefined
    try {
      const input = withStream(request.input, () => {
        body = receive(request.key, hub, broadcast)
        return body
      })
      const output = await kernel.call(operation, input, {
        printer: request.printer || undefined,
        caller: request.caller,
        host: request.host,
        surface: request.surface ?? 'fleet',
        via: `the hub with the key ${hub}`,
        signal: controller.signal,
        progress: (...values) => progress(values)
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

  /** The stream that the caller sends with its input. */
  function receive (key: string, hub: string, send: (content: Buffer) => void): Readable {
    const verifyLast = (signed: Buffer) => verifyMessage(signed, lastSubject(key), known => known === hub)?.content
    const incoming = receiveStream({ send, verify: verifyLast, onEnd: () => { streams.delete(key) } })
    streams.set(key, incoming)
    return incoming.body.on('error', () => {}) // the reader gets it too
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
    const broadcast = (content: Buffer) => { for (const reply of replies) nats.publish(reply, content) }
    const controller = new AbortController()
    const alive = setInterval(() => broadcast(frame(FRAME.alive)), ALIVE_MS).unref()
    const release = load.take(hub, isRead)
    const progress = (content: readonly unknown[]) => broadcast(frame(FRAME.progress, JSON.stringify(content)))
    const outcome = work(call, operation, controller, progress, broadcast)
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
    const isTooLarge = bytes !== undefined && bytes.length > MOST_RETAINED_BYTES
    const retained = isTooLarge ? { bytes: short, end: endOf(short) } : { end, ...(bytes && { bytes }) }
    known.set(key, { ...entry, outcome: Promise.resolve(retained) })
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
    const isNewest = [...replies].at(-1) === reply // only the latest attempt of a caller gets the stream
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
    /** @param message as received; the answer goes to the reply subject that its signature covers */
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
    /** The caller has gone. */
    cancel (key: string): void {
      const gone = new Error('the caller went away')
      known.get(key)?.controller.abort(gone)
      streams.get(key)?.stop(gone)
    },
    /** Takes a message of a stream. */
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

/** Counts the running and the remembered calls of each hub. */
function createLoad () {
  const hubs = new Map<string, { running: number, remembered: number }>()
  const of = (hub: string) => {
    const found = hubs.get(hub) ?? { running: 0, remembered: 0 }
    hubs.set(hub, found) // bounded by the number of accepted keys
    return found
  }
  return {
    isFull (hub: string, isRead: boolean): boolean {
      const { running, remembered } = of(hub)
      return running >= MOST_AT_ONCE || (!isRead && remembered >= MOST_REMEMBERED)
    },
    /** @returns functions that decrement each count */
    take (hub: string, isRead: boolean) {
      const load = of(hub)
      load.running++
      if (!isRead) load.remembered++
      return { work: () => { load.running-- }, memory: () => { load.remembered-- } }
    }
  }
}
