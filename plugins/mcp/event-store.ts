import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** The stream that carries what no request asked for; the library calls it so. */
const STANDING_STREAM = '_GET_stream'
/** Stands for the answer to a cancelled request, which gets none: it is never sent. */
export const CANCELLED_CODE = -32_800
/** One session keeps no more than this; older messages go first. */
const KEPT_BYTES = 256 * 1024
const KEPT_EVENTS = 500

/** The message is kept as text outside of the heap: as objects those of a busy session would take some megabytes. */
interface KeptEvent {
  readonly at: number
  readonly stream: string
  readonly isAnswer: boolean
  readonly text: Buffer
}

/** The messages of one session, kept for a client whose connection breaks: it asks for those after the last it saw. */
export interface SessionEvents extends EventStore {
  getStreamIdForEventId (id: string): Promise<string | undefined>
  /** Nothing more will come on the stream of that event, or it is not known any more. */
  isOver (id: string): boolean
  /** What came after that event on a stream that has had its answer; undefined while the answer is due. */
  rest (id: string): readonly { readonly id: string, readonly message: JSONRPCMessage }[] | undefined
}

const isAnswer = (message: JSONRPCMessage) => 'id' in message && ('result' in message || 'error' in message)
/** In memory of its own: a piece of what others share would keep all of that. */
function textOf (message: JSONRPCMessage): Buffer {
  const text = JSON.stringify(message)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
const messageOf = ({ text }: KeptEvent) => JSON.parse(text.toString()) as JSONRPCMessage
const isCancelled = (message: JSONRPCMessage) => 'error' in message && message.error.code === CANCELLED_CODE

export function createEventStore (): SessionEvents {
  let kept: KeptEvent[] = []
  let bytes = 0
  let last = 0

  const idOf = ({ stream, at }: KeptEvent) => `${stream}:${at}`
  function parse (id: string): { stream: string, at: number } {
    const colon = id.lastIndexOf(':')
    return { stream: id.slice(0, colon), at: Number(id.slice(colon + 1)) }
  }

  function after (id: string): KeptEvent[] {
    const { stream, at } = parse(id)
    return kept.filter(event => event.stream === stream && event.at > at)
  }

  /** A message too large to keep is delivered, but cannot be asked for again. */
  function keep (event: KeptEvent): void {
    if (event.text.length > KEPT_BYTES) return
    kept.push(event)
    bytes += event.text.length
    let drop = 0
    while (bytes > KEPT_BYTES || kept.length - drop > KEPT_EVENTS) bytes -= kept[drop++]?.text.length ?? 0
    if (drop > 0) kept = kept.slice(drop)
  }

  function forget (stream: string): void {
    kept = kept.filter(event => event.stream !== stream)
    bytes = kept.reduce((sum, { text }) => sum + text.length, 0)
  }

  const answered = (stream: string) => kept.some(event => event.stream === stream && event.isAnswer)

  return {
    async storeEvent (stream, message) {
      const event = { at: ++last, stream, isAnswer: isAnswer(message), text: textOf(message) }
      if (isCancelled(message)) forget(stream)
      else keep(event)
      return idOf(event)
    },
    async getStreamIdForEventId (id) {
      const { stream } = parse(id)
      return stream === STANDING_STREAM || kept.some(event => event.stream === stream) ? stream : undefined
    },
    async replayEventsAfter (id, { send }) {
      for (const event of after(id)) await send(idOf(event), messageOf(event))
      return parse(id).stream
    },
    isOver (id) {
      const { stream } = parse(id)
      if (stream === STANDING_STREAM) return false
      return !kept.some(event => event.stream === stream) || (answered(stream) && after(id).length === 0)
    },
    rest (id) {
      const { stream } = parse(id)
      return answered(stream) ? after(id).map(event => ({ id: idOf(event), message: messageOf(event) })) : undefined
    }
  }
}
