import type { Readable } from 'node:stream'
import { lastSubject } from '../encoding.js'
import { signMessage, verifyMessage, type SigningKey } from '../signed-message.js'
import { KEY_LENGTH, receiveStream, sendStream, type StreamEnd } from '../stream.js'

/** Pictures and files in transit at once. */
const MOST_STREAMS = 64

export interface CallStreamsOptions {
  readonly signingKey: SigningKey
  readonly redact: (text: string) => string
}

/** The streams that calls receive with their input or send after their output, by the key of the call. */
export class CallStreams {
  readonly #options: CallStreamsOptions
  readonly #streams = new Map<string, StreamEnd>()

  constructor (options: CallStreamsOptions) {
    this.#options = options
  }

  get isFull (): boolean { return this.#streams.size >= MOST_STREAMS }

  /** The stream that the caller sends with its input. */
  receive (key: string, hub: string, send: (content: Buffer) => void): Readable {
    const verify = (signed: Buffer) => verifyMessage(signed, lastSubject(key), publicKey => publicKey === hub)?.content
    const incoming = receiveStream({ send, verify, onEnd: () => { this.#streams.delete(key) } })
    this.#streams.set(key, incoming)
    return incoming.body.on('error', () => {}) // the reader gets it too
  }

  /** Sends the stream of an output. @param reply inbox of the attempt */
  send (key: string, stream: Readable, reply: string, send: (content: Buffer) => void): void {
    const { signingKey, redact } = this.#options
    this.#streams.set(key, sendStream(stream, {
      send,
      redact,
      sign: last => signMessage(signingKey, lastSubject(reply), last),
      onEnd: () => { this.#streams.delete(key) }
    }))
  }

  /** Takes a message of a stream. */
  take (data: Uint8Array): void {
    const bytes = Buffer.from(data)
    this.#streams.get(bytes.toString('latin1', 0, KEY_LENGTH))?.take(bytes.subarray(KEY_LENGTH))
  }

  stop (key: string, reason: Error): void { this.#streams.get(key)?.stop(reason) }

  close (reason: Error): void {
    for (const stream of [...this.#streams.values()]) stream.stop(reason)
  }
}
