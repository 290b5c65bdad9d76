import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { NatsConnection } from '@nats-io/transport-node'
import { BadInput, NoDryRun, NotConnected, type RemoteCallOptions } from '../../../core/index.js'
import { errorOf, withoutStream } from '../encoding.js'
import { Unconfirmed } from '../errors.js'
import type { Link } from '../link.js'
import type { Names } from '../names.js'
import type { SigningKey } from '../signed-message.js'
import { DRY_RUNS } from '../types.js'
import { attemptCall, type Answer } from './call-attempt.js'
import { placeName, type Directory, type NodeSeen } from './directory.js'
import { Inbox } from './inbox.js'
import type { NodeKeys } from './node-keys.js'
import type { Reachability } from './reachability.js'

const RETRY_MS = 500
const MOST_RETRIES = 2
const MOST_INPUT_BYTES = 512 * 1024
const SUPERSEDED = 'PRN_ERR_SUPERSEDED'

/** A printer at its holder. @param shown its name at this hub @param epoch of a shared printer */
interface Addressee {
  readonly place: string
  readonly printer: string
  readonly shown: string
  readonly epoch: number | undefined
}

export interface CallerDeps {
  readonly link: Link
  readonly names: Names
  readonly directory: Pick<Directory, 'of'>
  readonly signingKey: SigningKey
  readonly keys: Pick<NodeKeys, 'is'>
  readonly reachability: Pick<Reachability, 'whyNotAsk'>
}

interface CallFigures { readonly done: number, readonly refused: number, readonly unconfirmed: number }

/** A call that is under way. */
interface OpenCall {
  readonly to: Addressee
  readonly key: string
  readonly operation: string
  readonly input: object
  readonly stream: Readable | undefined
  readonly options: RemoteCallOptions
  /** Only to say what would happen. */
  readonly isTrial: boolean
}

/** It may be repeated, and leaves nothing behind. */
const isHarmless = ({ isTrial, options: { isRead } }: OpenCall): boolean => isTrial || isRead

/** Calls operations on the nodes. A call without an answer is repeated with the same key, so it never runs twice. */
export class Caller {
  readonly #deps: CallerDeps
  readonly #inbox: Inbox
  readonly #figures = { done: 0, refused: 0, unconfirmed: 0 }

  constructor (deps: CallerDeps) {
    this.#deps = deps
    this.#inbox = new Inbox(deps.link, deps.names.inbox('hub'))
  }

  get figures (): CallFigures { return this.#figures }

  async call (to: Addressee, operation: string, given: unknown, options: RemoteCallOptions): Promise<unknown> {
    const { input, stream } = withoutStream(given as object)
    return await this.#run({ to, key: randomUUID(), operation, input, stream, options, isTrial: false })
      .finally(() => stream?.destroy())
  }

  /** What `call` would do there. A stream of the input is not sent along. @throws PRN_ERR_NO_DRY_RUN */
  async rehearse (to: Addressee, operation: string, given: unknown, options: RemoteCallOptions): Promise<unknown> {
    const { input } = withoutStream(given as object)
    return await this.#run({ to, key: randomUUID(), operation, input, stream: undefined, options, isTrial: true })
  }

  async #run (call: OpenCall): Promise<unknown> {
    const { input, stream, isTrial, options: { signal } } = call
    /** The run of the node that may have received the call. */
    let asked: string | undefined
    for (let tries = 0; ; tries++) {
      signal.throwIfAborted()
      const { node, nats } = this.#reach(call, asked !== undefined)
      if (asked !== undefined && asked !== node.run && !isHarmless(call)) throw this.#lost(call, true, 'its node has restarted')
      if (Buffer.byteLength(JSON.stringify(input)) > MOST_INPUT_BYTES) throw new BadInput('The parameters are too long')
      asked = node.run
      const answer = await this.#attempt(call, node, nats)
      if (answer.kind === 'output') {
        if (!isTrial) this.#figures.done++
        return answer.output
      }
      const isLate = answer.kind === 'error' && answer.error.code === SUPERSEDED
      if (answer.kind === 'error' && (!isLate || tries > 0 || stream)) {
        if (!isTrial) this.#figures.refused++
        throw errorOf(answer.error)
      }
      if (tries >= MOST_RETRIES || stream) throw this.#lost(call, true, 'it did not answer')
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }

  /** @throws when the node cannot be called now */
  #reach (call: OpenCall, isAsked: boolean): { readonly node: NodeSeen, readonly nats: NatsConnection } {
    const { link: { nats }, directory, reachability } = this.#deps
    const { place } = call.to
    const node = directory.of(place)
    const why = reachability.whyNotAsk(place)
    if (node === undefined || why !== undefined || nats === undefined) {
      throw this.#lost(call, isAsked, why ?? 'its node is unknown')
    }
    if (call.isTrial && node.abilities?.includes(DRY_RUNS) !== true) {
      throw new NoDryRun(place, `its version of prnd, ${node.version}, cannot try anything without doing it`)
    }
    return { node, nats }
  }

  #attempt (call: OpenCall, node: NodeSeen, nats: NatsConnection): Promise<Answer> {
    const { to, key, operation, input, stream, options, isTrial } = call
    const { link, names, signingKey, keys } = this.#deps
    const { printer, epoch } = to
    const { isRead, caller, host, surface } = options
    const place = placeName(node)
    return attemptCall({
      link,
      nats,
      inbox: this.#inbox,
      signingKey,
      subject: names.call(node.site, node.node),
      isOfNode: publicKey => keys.is(place, publicKey),
      options
    }, {
      run: node.run,
      beat: node.number,
      ...(epoch !== undefined && { epoch }),
      key,
      printer,
      operation,
      input,
      isRead,
      ...(isTrial && { dryRun: true as const }),
      host,
      ...(caller && { caller }),
      ...(surface !== undefined && { surface })
    }, stream)
  }

  /** A write that may have arrived is unconfirmed; anything else was not done. @param isAsked it was sent */
  #lost (call: OpenCall, isAsked: boolean, why: string): Error {
    const { to: { place, shown }, key, operation } = call
    this.#figures.unconfirmed++
    return isHarmless(call) || !isAsked
      ? new NotConnected(shown).with({ detail: why })
      : new Unconfirmed(operation, shown, place).with({ idempotency_key: key })
  }
}
