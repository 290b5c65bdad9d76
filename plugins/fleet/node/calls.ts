import type { Readable } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { AnyOperation, Kernel } from '../../../core/index.js'
import {
  encode, endSubject, failureOf, frame, FRAME, MOST_BYTES, MOST_MIB, piecesOf, withStream, type End
} from '../encoding.js'
import { Overloaded, Superseded, TooLarge } from '../errors.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import type { CallRequest } from '../types.js'
import { CallLoad } from './call-load.js'
import { CallStreams } from './call-streams.js'
import type { HeartbeatSender } from './heartbeat.js'
import { endOf, KnownCalls, type KnownCall, type Outcome } from './known-calls.js'
import type { ProvenCall } from './verify-call.js'

const ALIVE_MS = 2_000
/** Pieces sent before a flush. */
const WINDOW_PIECES = 16

export interface CallsOptions {
  readonly kernel: Kernel
  /** Only says what the calls would do. */
  readonly isTrial?: boolean
  readonly heartbeat: Pick<HeartbeatSender, 'isRecent'>
  readonly signingKey: SigningKey
  /** @returns undefined for a message that no accepted hub has signed, or for a replay */
  readonly verify: (message: Uint8Array) => ProvenCall | undefined
  /** Of a shared printer, while it is held here. */
  readonly epoch: (printer: string) => number | undefined
  readonly onDone: (result: 'done' | 'refused') => void
}

/** What a running call sends to its caller. */
interface Sender {
  readonly signal: AbortSignal
  readonly progress: (content: readonly unknown[]) => void
  readonly broadcast: (content: Buffer) => void
}

/** The operation that a hub asks for; undefined unless it is offered to hubs. */
function offeredOperation (kernel: Kernel, request: CallRequest): AnyOperation | undefined {
  const operation = kernel.operations.get(request.operation)
  if (operation === undefined || operation.runsHere === true) return undefined
  const isOffered = operation.scope === 'printer' || (request.printer === ''
    ? operation.atHub !== undefined
    : operation.concerns?.(request.input) === request.printer)
  return isOffered && (operation.effect === 'read') === request.isRead ? operation : undefined
}

/** Runs the calls of hubs, each write exactly once; or rehearses them. */
export class Calls {
  readonly #options: CallsOptions
  readonly #known = new KnownCalls()
  readonly #load = new CallLoad()
  readonly #streams: CallStreams

  constructor (options: CallsOptions) {
    this.#options = options
    this.#streams = new CallStreams({ signingKey: options.signingKey, redact: options.kernel.redact })
  }

  /** @param message as received; the answer goes to the reply subject that its signature covers */
  take (message: Uint8Array, nats: NatsConnection, onFailure: (error: Error) => void): void {
    const { verify, onDone } = this.#options
    const proven = verify(message)
    if (proven === undefined) return
    const { key, reply } = proven.request
    let call = this.#known.get(key)
    try {
      call ??= this.#begin(proven, this.#admit(proven), nats)
    } catch (refusal) {
      onDone('refused')
      return this.#sendEnd(reply, { pieces: 0, error: failureOf(refusal) }, nats)
    }
    nats.publish(reply, frame(FRAME.alive)) // it has arrived
    this.#answer(key, reply, call, nats).catch(onFailure)
  }

  /** The caller has gone. */
  cancel (key: string): void {
    const gone = new Error('the caller went away')
    this.#known.abort(key, gone)
    this.#streams.stop(key, gone)
  }

  /** Takes a message of a stream. */
  part (data: Uint8Array): void { this.#streams.take(data) }

  close (): void {
    const closing = new Error('the node is closing')
    this.#known.close(closing)
    this.#streams.close(closing)
  }

  /** @throws the reason for a refusal; a refused call is not remembered and may be repeated */
  #admit ({ request, hub }: ProvenCall): AnyOperation {
    const { kernel, heartbeat, epoch } = this.#options
    const { printer, isRead, beat: heartbeatNumber } = request
    const operation = offeredOperation(kernel, request)
    const isElsewhere = kernel.printers.get(printer)?.remote !== undefined
    const isLate = !heartbeat.isRecent(heartbeatNumber)
    if (operation === undefined || isElsewhere || isLate || epoch(printer) !== request.epoch) {
      throw new Superseded(printer)
    }
    if (this.#load.isFull(hub, this.#isHarmless(isRead))) throw new Overloaded(printer)
    return operation
  }

  /** It may be repeated, so it need not be remembered. */
  #isHarmless (isRead: boolean): boolean { return isRead || this.#options.isTrial === true }

  #begin (proven: ProvenCall, operation: AnyOperation, nats: NatsConnection): KnownCall {
    const { request: { key }, hub } = proven
    const isRead = this.#isHarmless(proven.request.isRead)
    const replies = new Set<string>()
    const controller = new AbortController()
    const broadcast = (content: Buffer) => { for (const reply of replies) nats.publish(reply, content) }
    const progress = (content: readonly unknown[]) => broadcast(frame(FRAME.progress, JSON.stringify(content)))
    const alive = setInterval(() => broadcast(frame(FRAME.alive)), ALIVE_MS).unref()
    this.#load.begin(hub, isRead)
    const outcome = this.#run(proven, operation, { signal: controller.signal, progress, broadcast }).finally(() => {
      clearInterval(alive)
      this.#load.end(hub)
    })
    const call = { isRead, outcome, controller, replies }
    this.#known.add(key, call, () => this.#load.forget(hub))
    return call
  }

  async #run ({ request, hub }: ProvenCall, operation: AnyOperation, sender: Sender): Promise<Outcome> {
    const { kernel, isTrial = false, onDone } = this.#options
    let body: Readable | undefined
    try {
      const receive = () => {
        body = this.#streams.receive(request.key, hub, sender.broadcast)
        return body
      }
      const input = isTrial ? request.input : withStream(request.input, receive)
      const options = {
        printer: request.printer || undefined,
        caller: request.caller,
        host: request.host,
        surface: request.surface ?? 'fleet',
        via: `the hub with the key ${hub}`,
        signal: sender.signal,
        progress: (...values: readonly unknown[]) => sender.progress(values)
      }
      const output: unknown = isTrial
        ? await kernel.rehearse(operation, input, options)
        : await kernel.call(operation, input, options)
      const outcome = this.#outcomeOf(output, request)
      onDone('done')
      return outcome
    } catch (error) {
      onDone('refused')
      const failure = failureOf(error)
      return { end: { pieces: 0, error: JSON.parse(kernel.redact(JSON.stringify(failure))) as typeof failure } }
    } finally {
      body?.destroy()
    }
  }

  /** @throws PRN_ERR_TOO_LARGE, PRN_ERR_OVERLOADED */
  #outcomeOf (output: unknown, { operation, printer }: CallRequest): Outcome {
    const { bytes, stream } = encode(output, this.#options.kernel.redact)
    const isTooLarge = bytes.length > MOST_BYTES
    if (isTooLarge || (stream && this.#streams.isFull)) {
      stream?.on('error', () => {}).destroy()
      throw isTooLarge ? new TooLarge(`The answer of ${operation}`, MOST_MIB) : new Overloaded(printer)
    }
    return { bytes, end: endOf(bytes), stream }
  }

  async #answer (key: string, reply: string, { outcome, replies }: KnownCall, nats: NatsConnection): Promise<void> {
    replies.add(reply)
    const { bytes, end, stream } = await outcome
    const isNewest = [...replies].at(-1) === reply // only the latest attempt of a caller gets the stream
    replies.delete(reply)
    if (nats.isClosed()) {
      stream?.destroy()
      return
    }
    if (stream && isNewest) this.#streams.send(key, stream, reply, content => nats.publish(reply, content))
    for (const [at, piece] of piecesOf(bytes ?? Buffer.alloc(0)).entries()) {
      nats.publish(reply, piece)
      if (at % WINDOW_PIECES === WINDOW_PIECES - 1) await nats.flush()
    }
    this.#sendEnd(reply, end, nats)
  }

  #sendEnd (reply: string, end: End, nats: NatsConnection): void {
    const signed = signMessage(this.#options.signingKey, endSubject(reply), JSON.stringify(end))
    nats.publish(reply, frame(FRAME.end, signed))
  }
}
