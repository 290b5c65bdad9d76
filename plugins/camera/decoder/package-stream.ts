import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import type { PackageReply } from './package-messages.js'
import type { Conversation, PackageWorker } from './package-worker.js'
import { failed } from './still-process.js'
import type { DecoderStream, DecoderStreamOptions } from './types.js'

/**
 * Limit of pictures sent to the process and not yet accepted; beyond it, all up to the next key picture are dropped.
 */
const MAX_IN_FLIGHT = 30

/** Decodes every picture it is given; after one that could not be sent, it continues at the next key picture. */
export class PackageStream implements DecoderStream {
  readonly #conversation: Conversation
  readonly #options: DecoderStreamOptions
  #inFlight = 0
  #waitsForKey = true
  #isStopped = false

  constructor (worker: PackageWorker, options: DecoderStreamOptions) {
    this.#options = options
    this.#conversation = worker.begin(reply => this.#take(reply))
    this.#conversation.send({ kind: 'open', id: this.#conversation.id, maxFps: options.maxFps })
  }

  push (unit: AccessUnit): void {
    if (this.#isStopped || (this.#waitsForKey && !unit.key)) return
    this.#waitsForKey = this.#inFlight >= MAX_IN_FLIGHT
    if (this.#waitsForKey) return
    this.#inFlight++
    const { id } = this.#conversation
    this.#conversation.send({ kind: 'unit', id, codec: unit.format.codec, key: unit.key, data: annexB(unit) })
  }

  async stop (): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#conversation.send({ kind: 'abort', id: this.#conversation.id })
    this.#conversation.end()
  }

  #take (reply: PackageReply): void {
    if (this.#isStopped) return
    if (reply.kind === 'jpeg') this.#options.onJpeg(Buffer.from(reply.jpeg))
    if (reply.kind === 'taken') this.#inFlight--
    if (reply.kind === 'failed') this.#options.onFailed(failed(reply.message))
  }
}
