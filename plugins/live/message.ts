import { jsonBytes, type Kernel } from '../../core/index.js'

/** A message as it goes out. */
export interface Message {
  /** Counts up over all topics whose every message counts; 0 for the others. */
  readonly count: number
  /** Its count, marked with this run of the service; empty for 0. */
  readonly id: string
  readonly topic: string
  readonly printer: string
  /** JSON text of `{ topic, printer, at, data }`, with `id` where it counts. */
  readonly text: string
}

export type Subject = Pick<Message, 'count' | 'id' | 'topic' | 'printer'>

/** Writes a message once for everyone who gets it. */
export function messageOf ({ now, redact }: Kernel, subject: Subject, data: unknown): Message {
  const { id, topic, printer } = subject
  const at = new Date(now()).toISOString()
  const head = JSON.stringify({ ...(id !== '' && { id }), topic, printer, at })
  return { ...subject, text: `${redact(head).slice(0, -1)},"data":${jsonBytes(data, redact).toString()}}` }
}
