import { jsonBytes, type Kernel } from '../../core/index.js'

/** A serialized message. */
export interface Message {
  /** Sequence number over all replayable topics; 0 for the others. */
  readonly count: number
  /** The number, prefixed with the run of the service; empty for 0. */
  readonly id: string
  readonly topic: string
  readonly printer: string
  /** JSON text of `{ topic, printer, at, data }`, with `id` on replayable topics. */
  readonly text: string
}

export type Subject = Pick<Message, 'count' | 'id' | 'topic' | 'printer'>

/** Serializes a message once for all listeners. */
export function messageOf ({ now, redact }: Kernel, subject: Subject, data: unknown): Message {
  const { id, topic, printer } = subject
  const at = new Date(now()).toISOString()
  const head = JSON.stringify({ ...(id !== '' && { id }), topic, printer, at })
  return { ...subject, text: `${redact(head).slice(0, -1)},"data":${jsonBytes(data, redact).toString()}}` }
}
