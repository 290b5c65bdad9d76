import type { Readable } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { RemoteCallOptions } from '../../../core/index.js'
import {
  decode, digestOf, endSubject, FRAME, lastSubject, MOST_BYTES, MOST_MIB, type End, type Failure
} from '../encoding.js'
import { TooLarge } from '../errors.js'
import type { Link } from '../link.js'
import { signMessage, verifyMessage, type SigningKey } from '../signed-message.js'
import { receiveStream, sendStream, type StreamEnd } from '../stream.js'
import { subjectKind, type CallRequest } from '../types.js'
import type { Inbox } from './inbox.js'

/** A node sends a sign of life every two seconds while it works. */
const SILENT_MS = 6_000
/** No operation takes longer. */
const LONGEST_MS = 2 * 3_600_000

/** The result of one attempt. */
export type Answer = { readonly kind: 'output', readonly output: unknown } |
  { readonly kind: 'error', readonly error: Failure } | { readonly kind: 'silent' }

export interface CallAttemptDeps {
  readonly link: Pick<Link, 'connected'>
  readonly nats: NatsConnection
  readonly inbox: Inbox
  readonly signingKey: SigningKey
  /** Subject of the calls to the node, without their kind. */
  readonly subject: string
  /** Whether this is the key of the called node. */
  readonly isOfNode: (publicKey: string) => boolean
  readonly options: Pick<RemoteCallOptions, 'signal' | 'progress'>
}

const reasonOf = ({ reason }: AbortSignal): Error => reason instanceof Error ? reason : new Error('aborted')

interface Settle {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/** Sends or repeats a call, and waits until the node has answered or fallen silent. @param body sent along with it */
export const attemptCall = (deps: CallAttemptDeps, asked: Omit<CallRequest, 'reply'>,
  body: Readable | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => { new CallAttempt(deps, asked, { resolve, reject }).begin(body) })

/** Ends with the signed answer, when the node falls silent, or when the caller leaves. */
class CallAttempt {
  readonly #deps: CallAttemptDeps
  readonly #request: CallRequest
  readonly #pieces: Buffer[] = []
  readonly #settle: Settle
  readonly #longest: NodeJS.Timeout
  #bytes = 0
  #silence: NodeJS.Timeout
  #outgoing: StreamEnd | undefined

  constructor (deps: CallAttemptDeps, asked: Omit<CallRequest, 'reply'>, settle: Settle) {
    this.#deps = deps
    this.#settle = settle
    this.#request = { ...asked, reply: deps.inbox.newSubject() }
    this.#silence = setTimeout(this.#fallSilent, SILENT_MS)
    this.#longest = setTimeout(this.#fallSilent, LONGEST_MS)
  }

  begin (body: Readable | undefined): void {
    const { nats, inbox, signingKey, subject, options: { signal } } = this.#deps
    const { key, reply } = this.#request
    inbox.listen(reply, frame => {
      try {
        this.#take(frame)
      } catch (error) {
        this.#reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
    signal.addEventListener('abort', this.#abort, { once: true })
    const calls = `${subject}.${subjectKind(this.#request)}`
    nats.publish(calls, signMessage(signingKey, calls, JSON.stringify(this.#request)), { reply })
    const sign = (last: string) => signMessage(signingKey, lastSubject(key), last)
    if (body) this.#outgoing = sendStream(body, { send: this.#send, redact: text => text, sign, onEnd () {} })
  }

  #take (frame: Buffer): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(this.#fallSilent, SILENT_MS)
    const content = frame.subarray(1)
    if (frame[0] === FRAME.taken) this.#outgoing?.take(frame)
    if (frame[0] === FRAME.progress) this.#deps.options.progress(...JSON.parse(content.toString()) as [number])
    if (frame[0] === FRAME.data && (this.#bytes += content.length) <= MOST_BYTES) this.#pieces.push(content)
    if (frame[0] === FRAME.end) this.#takeEnd(content)
  }

  #takeEnd (signed: Buffer): void {
    const proven = this.#proven(signed, endSubject(this.#request.reply))
    if (proven === undefined) return
    const { pieces, digest, error } = JSON.parse(proven.toString()) as End
    if (error) return this.#resolve({ kind: 'error', error })
    if (this.#bytes > MOST_BYTES) return this.#reject(new TooLarge(`The answer of ${this.#request.operation}`, MOST_MIB))
    const all = Buffer.concat(this.#pieces)
    // A piece was lost with a connection or forged: the call is repeated.
    if (pieces !== this.#pieces.length || digest !== digestOf(all)) return this.#fallSilent()
    this.#end()
    this.#settle.resolve({ kind: 'output', output: decode(all, () => this.#followStream()) })
  }

  /** The stream that follows the answer, until its reader stops. */
  #followStream (): Readable {
    const { inbox, options: { signal } } = this.#deps
    const { reply } = this.#request
    const left = () => incoming.stop(reasonOf(signal))
    const incoming = receiveStream({
      send: this.#send,
      verify: last => this.#proven(last, lastSubject(reply)),
      onEnd: whole => {
        inbox.close(reply)
        signal.removeEventListener('abort', left)
        if (!whole) this.#cancel()
      }
    })
    signal.addEventListener('abort', left, { once: true })
    inbox.listen(reply, incoming.take)
    return incoming.body
  }

  #proven (message: Buffer, over: string): Buffer | undefined {
    return verifyMessage(message, over, this.#deps.isOfNode)?.content
  }

  readonly #send = (content: Buffer): void => {
    const { nats, subject } = this.#deps
    nats.publish(`${subject}.part`, Buffer.concat([Buffer.from(this.#request.key), content]))
  }

  #cancel (): void {
    const { link, nats, subject } = this.#deps
    if (link.connected) nats.publish(`${subject}.cancel`, this.#request.key)
  }

  readonly #abort = (): void => {
    this.#cancel()
    this.#reject(reasonOf(this.#deps.options.signal))
  }

  readonly #fallSilent = (): void => this.#resolve({ kind: 'silent' })

  #resolve (answer: Answer): void {
    this.#end()
    this.#settle.resolve(answer)
  }

  #reject (error: Error): void {
    this.#end()
    this.#settle.reject(error)
  }

  #end (): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#longest)
    this.#deps.inbox.close(this.#request.reply)
    this.#deps.options.signal.removeEventListener('abort', this.#abort)
    this.#outgoing?.stop(new Error('the call has ended'))
  }
}
