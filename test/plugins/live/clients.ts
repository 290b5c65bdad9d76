// Programs that listen at /api/live.
import type { Test } from 'tap'
import { WebSocket } from 'ws'

export interface LiveMessage { readonly id?: string, readonly event: string, readonly data: any }

export interface Listening {
  readonly messages: LiveMessage[]
  readonly status: number
  readonly headers: Headers
  stop (): void
}

/** One block of an event stream; undefined for comments and times. */
function messageOf (block: string): LiveMessage | undefined {
  const fields = Object.fromEntries(block.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2)))
  return fields.data === undefined
    ? undefined
    : { ...(fields.id && { id: fields.id }), event: fields.event ?? '', data: JSON.parse(fields.data) }
}

/** Listens with fetch. */
export async function listen (t: Test, port: number, query = '', headers: Record<string, string> = {}): Promise<Listening> {
  const controller = new AbortController()
  t.teardown(() => controller.abort())
  const reply = await fetch(`http://127.0.0.1:${port}/api/live${query}`, { headers, signal: controller.signal })
  const messages: LiveMessage[] = []
  const read = async () => {
    let rest = ''
    for await (const text of (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const one = messageOf(block)
        if (one) messages.push(one)
      }
    }
  }
  read().catch(() => {}) // stopped
  return { messages, status: reply.status, headers: reply.headers, stop: () => controller.abort() }
}

export interface Connected {
  readonly socket: WebSocket
  readonly messages: any[]
  /** Resolves with code and reason, or the status of a refused request. */
  readonly closed: Promise<{ readonly code: number, readonly reason: string }>
}

/** Listens over a WebSocket. */
export function connect (t: Test, port: number, query = '', headers: Record<string, string> = {}): Connected {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/live${query}`, { headers })
  t.teardown(() => socket.terminate())
  const messages: any[] = []
  socket.on('message', data => messages.push(JSON.parse(String(data))))
  const closed = new Promise<{ code: number, reason: string }>(resolve => {
    socket.on('error', () => {})
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve({ code: statusCode, reason: '' }))
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  return { socket, messages, closed }
}
