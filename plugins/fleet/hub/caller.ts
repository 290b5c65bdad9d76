import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import { BadInput, NotConnected, type RemoteCallOptions } from '../../../core/index.js'
import type { Link } from '../link.js'
import { TooLarge, Unconfirmed } from '../errors.js'
import type { Names } from '../names.js'
import { signMessage, verifyMessage, type SigningKey } from '../signed-message.js'
import { receiveStream, sendStream, type StreamEnd } from '../stream.js'
import type { CallRequest } from '../types.js'
import {
  decode, digestOf, endSubject, errorOf, FRAME, lastSubject, MOST_BYTES, MOST_MIB, withoutStream, type End, type Failure
} from '../encoding.js'
import { placeName, type Directory, type NodeSeen } from './directory.js'
import type { NodeKeys } from './node-keys.js'

/** A node sends a sign of life every two seconds while it works. */
const SILENT_MS = 6_000
const RETRY_MS = 500
/** No operation takes longer. */
const LONGEST_MS = 2 * 3_600_000
const MOST_INPUT_BYTES = 512 * 1024
const SUPERSEDED = 'PRN_ERR_SUPERSEDED'

const reasonOf = ({ reason }: AbortSignal): Error => reason instanceof Error ? reason : new Error('aborted')

/** The result of one attempt. */
type Answer = { readonly kind: 'output', readonly output: unknown } | { readonly kind: 'error', readonly error: Failure } |
  { readonly kind: 'silent' }

type Listener = (frame: Buffer) => void

/** A printer at its holder. @param shown its name at this hub @param epoch of a shared printer */
interface Addressee {
  readonly place: string
  readonly printer: string
  readonly shown: string
  readonly epoch: number | undefined
}

export interface Caller {
  call (to: Addressee, operation: string, input: unknown, options: RemoteCallOptions): Promise<unknown>
  readonly figures: { readonly done: number, readonly refused: number, readonly unconfirmed: number }
}

export interface CallerDeps {
  readonly link: Link
  readonly names: Names
  readonly directory: Directory
  readonly signingKey: SigningKey
  readonly keys: Pick<NodeKeys, 'is'>
  /** Why a node cannot be called; undefined when it can. */
  readonly whyNot: (place: string) => string | undefined
}

/** Calls operations on the nodes. A call without an answer is repeated with the same key, so it never runs twice. */
export function createCaller ({ link, names, directory, signingKey, keys, whyNot }: CallerDeps): Caller {
  const inbox = `${names.inbox('hub')}.${randomUUID()}`
  const waiting = new Map<string, Listener>()
  const figures = { done: 0, refused: 0, unconfirmed: 0 }
  link.opened.then(nats => nats.subscribe(`${inbox}.*`, {
    callback: (error, { subject, data }) => {
      if (error === null) waiting.get(subject.slice(inbox.length + 1))?.(Buffer.from(data))
    }
  })).catch(() => {}) // reported by the link

  /** Sends or repeats the call, and waits until the node has answered or fallen silent. */
  async function ask (nats: NatsConnection, to: NodeSeen, asked: Omit<CallRequest, 'reply'>,
    { signal, progress }: RemoteCallOptions, along: Readable | undefined): Promise<Answer> {
    const subject = names.call(to.site, to.node)
    const token = randomUUID()
    const request: CallRequest = { ...asked, reply: `${inbox}.${token}` }
    const { reply } = request
    const place = placeName(to)
    const isOfNode = (publicKey: string) => keys.is(place, publicKey)
    const signedBy = (message: Buffer, over: string) => verifyMessage(message, over, isOfNode)?.content
    return await new Promise<Answer>((resolve, reject) => {
      const pieces: Buffer[] = []
      let bytes = 0
      const silent = () => end(() => resolve({ kind: 'silent' }))
      let timer = setTimeout(silent, SILENT_MS)
      const longest = setTimeout(silent, LONGEST_MS)
      const send = (content: Buffer) => nats.publish(`${subject}.part`, Buffer.concat([Buffer.from(request.key), content]))
      let outgoing: StreamEnd | undefined
      const aborted = () => {
        if (link.connected) nats.publish(`${subject}.cancel`, request.key)
        end(() => reject(reasonOf(signal)))
      }
      function end (settle: () => void): void {
        clearTimeout(timer)
        clearTimeout(longest)
        waiting.delete(token)
        signal.removeEventListener('abort', aborted)
        outgoing?.stop(new Error('the call has ended'))
        settle()
      }
      /** The stream that follows the answer, until its reader stops. */
      function follow (): Readable {
        const left = () => incoming.stop(reasonOf(signal))
        const incoming = receiveStream({
          send,
          verify: last => signedBy(last, lastSubject(reply)),
          onEnd (whole) {
            waiting.delete(token)
            signal.removeEventListener('abort', left)
            if (!whole && link.connected) nats.publish(`${subject}.cancel`, request.key)
          }
        })
        signal.addEventListener('abort', left, { once: true })
        waiting.set(token, incoming.take)
        return incoming.body
      }
      function take (frame: Buffer): void {
        clearTimeout(timer)
        timer = setTimeout(silent, SILENT_MS)
        const content = frame.subarray(1)
        if (frame[0] === FRAME.taken) outgoing?.take(frame)
        if (frame[0] === FRAME.progress) progress(...JSON.parse(content.toString()) as [number])
        if (frame[0] === FRAME.data && (bytes += content.length) <= MOST_BYTES) pieces.push(content)
        if (frame[0] !== FRAME.end) return
        const proven = signedBy(content, endSubject(reply))
        if (proven === undefined) return
        const { pieces: sent, digest, error } = JSON.parse(proven.toString()) as End
        if (error) return end(() => resolve({ kind: 'error', error }))
        if (bytes > MOST_BYTES) return end(() => reject(new TooLarge(`The answer of ${request.operation}`, MOST_MIB)))
        const all = Buffer.concat(pieces)
        // A piece was lost with a connection or forged: the call is repeated.
        if (sent !== pieces.length || digest !== digestOf(all)) return silent()
        end(() => resolve({ kind: 'output', output: decode(all, follow) }))
      }
      waiting.set(token, frame => {
        try {
          take(frame)
        } catch (error) {
          end(() => reject(error instanceof Error ? error : new Error(String(error))))
        }
      })
      signal.addEventListener('abort', aborted, { once: true })
      const calls = `${subject}.do`
      nats.publish(calls, signMessage(signingKey, calls, JSON.stringify(request)), { reply })
      const sign = (last: string) => signMessage(signingKey, lastSubject(request.key), last)
      if (along) outgoing = sendStream(along, { send, redact: text => text, sign, onEnd () {} })
    })
  }

  async function callOnce ({ place, printer, shown, epoch }: Addressee, operation: string, input: object,
    stream: Readable | undefined, options: RemoteCallOptions): Promise<unknown> {
    const { isRead, caller, host, surface, signal } = options
    const key = randomUUID()
    /** The run of the node that may have received the call. */
    let asked: string | undefined
    let tries = 0
    const lost = (why: string) => {
      figures.unconfirmed++
      return isRead || asked === undefined
        ? new NotConnected(shown).with({ detail: why })
        : new Unconfirmed(operation, shown, place).with({ idempotency_key: key })
    }
    for (;;) {
      signal.throwIfAborted()
      const to = directory.of(place)
      const why = whyNot(place)
      if (to === undefined || why !== undefined || link.nats === undefined) throw lost(why ?? 'its node is unknown')
      if (asked !== undefined && asked !== to.run && !isRead) throw lost('its node has restarted')
      const request = {
        run: to.run,
        beat: to.number,
        ...(epoch !== undefined && { epoch }),
        key,
        printer,
        operation,
        input,
        isRead,
        host,
        ...(caller && { caller }),
        ...(surface !== undefined && { surface })
      }
      if (Buffer.byteLength(JSON.stringify(input)) > MOST_INPUT_BYTES) throw new BadInput('The parameters are too long')
      asked = to.run
      const answer = await ask(link.nats, to, request, options, stream)
      if (answer.kind === 'output') {
        figures.done++
        return answer.output
      }
      const isLate = answer.kind === 'error' && answer.error.code === SUPERSEDED
      if (answer.kind === 'error' && (!isLate || tries > 0 || stream)) {
        figures.refused++
        throw errorOf(answer.error)
      }
      if (tries++ >= 2 || stream) throw lost('it did not answer')
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }

  return {
    figures,
    async call (to, operation, given, options) {
      const { input, stream } = withoutStream(given as object)
      return await callOnce(to, operation, input, stream, options).finally(() => stream?.destroy())
    }
  }
}
