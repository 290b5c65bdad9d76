import { on } from 'node:events'
import type { Finding } from '../findings/types.js'
import type { MessagePort } from 'node:worker_threads'

/** What the thread that reads the plate says: give the next piece, or what it has found for certain. */
export type ReaderMessage = 'next' | { readonly sure: readonly Finding[] }

/** What the thread that has the file answers to each `'next'`. */
export type PieceMessage =
  { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly end: true } | { readonly error: string }

/** Pieces of a file from another thread; the next one is on its way while one is worked on. */
export async function * pieces (port: MessagePort): AsyncGenerator<Uint8Array> {
  const messages = on(port, 'message', { close: ['close'] }) as AsyncIterable<[PieceMessage]>
  port.postMessage('next')
  for await (const [message] of messages) {
    if ('end' in message) return
    if ('error' in message) throw new Error(message.error)
    port.postMessage('next')
    yield message.bytes
  }
  throw new Error('the reading was aborted')
}
