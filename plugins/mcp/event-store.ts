import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** The library's name for the stream of unsolicited messages. */
const STANDING_STREAM = '_GET_stream'
/** Marks the end of a cancelled request, which gets no answer; never sent to the client. */
export const CANCELLED_CODE = -32_800
/** Limits for one session; the oldest messages are dropped first. */
const MOST_BYTES = 256 * 1024
const MOST_EVENTS = 500

/** The message is stored as text outside the heap: as objects, those of a busy session would take several megabytes. */
interface StoredEvent {
  readonly at: number
  readonly stream: string
  readonly isAnswer: boolean
  readonly text: Buffer
}

/** The messages of one session, for a client that reconnects and requests those after the last one it received. */
export interface SessionEvents extends EventStore {
  getStreamIdForEventId (id: string): Promise<string | undefined>
  /** Nothing more will come on the stream of that event, or the stream is unknown. */
  isOver (id: string): boolean
  /** The messages after that event on a stream that has its answer; undefined while the answer is pending. */
  rest (id: string): readonly { readonly id: string, readonly message: JSONRPCMessage }[] | undefined
}

const isAnswer = (message: JSONRPCMessage) => 'id' in message && ('result' in message || 'error' in message)
/** Unpooled, since a slice of the shared pool would keep the whole pool in memory. */
function textOf (message: JSONRPCMessage): Buffer {
  const text = JSON.stringify(message)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
const messageOf = ({ text }: StoredEvent) => JSON.parse(text.toString()) as JSONRPCMessage
const isCancelled = (message: JSONRPCMessage) => 'error' in message && message.error.code === CANCELLED_CODE

export function createEventStore (): SessionEvents {
  let stored: StoredEvent[] = []
  let bytes = 0
  let last = 0

  const idOf = ({ stream, at }: StoredEvent) => `${stream}:${at}`
  function parse (id: string): { stream: string, at: number } {
    const colon = id.lastIndexOf(':')
    return { stream: id.slice(0, colon), at: Number(id.slice(colon + 1)) }
  }

  function after (id: string): StoredEvent[] {
    const { stream, at } = parse(id)
    return stored.filter(event => event.stream === stream && event.at > at)
  }

  /** A message too large to store is delivered, but cannot be replayed. */
  function store (event: StoredEvent): void {
    if (event.text.length > MOST_BYTES) return
    stored.push(event)
    bytes += event.text.length
    let drop = 0
    while (bytes > MOST_BYTES || stored.length - drop > MOST_EVENTS) bytes -= stored[drop++]?.text.length ?? 0
    if (drop > 0) stored = stored.slice(drop)
  }

  function forget (stream: string): void {
    stored = stored.filter(event => event.stream !== stream)
    bytes = stored.reduce((sum, { text }) => sum + text.length, 0)
  }

  const answered = (stream: string) => stored.some(event => event.stream === stream && event.isAnswer)

  return {
    async storeEvent (stream, message) {
      const event = { at: ++last, stream, isAnswer: isAnswer(message), text: textOf(message) }
      if (isCancelled(message)) forget(stream)
      else store(event)
      return idOf(event)
    },
    async getStreamIdForEventId (id) {
      const { stream } = parse(id)
      return stream === STANDING_STREAM || stored.some(event => event.stream === stream) ? stream : undefined
    },
    async replayEventsAfter (id, { send }) {
      for (const event of after(id)) await send(idOf(event), messageOf(event))
      return parse(id).stream
    },
    isOver (id) {
      const { stream } = parse(id)
      if (stream === STANDING_STREAM) return false
      return !stored.some(event => event.stream === stream) || (answered(stream) && after(id).length === 0)
    },
    rest (id) {
      const { stream } = parse(id)
      return answered(stream) ? after(id).map(event => ({ id: idOf(event), message: messageOf(event) })) : undefined
    }
  }
}
