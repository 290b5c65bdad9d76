import type { WebSocket } from '../http/index.js'
import type { FastifyRequest } from 'fastify'
import type { Kernel } from '../../core/index.js'
import type { Hub } from './hub.js'
import { withBackpressure } from './backpressure.js'
import { parseSubscription, type Subscription } from './parse-subscription.js'

/** A peer that does not answer a ping in this time is disconnected. */
const HEARTBEAT_MS = 15_000
const GOING_AWAY = 1001
const BAD_REQUEST = 1008
const COME_BACK_LATER = 1013
/** The protocol's limit for the reason in a close frame. */
const MOST_REASON_BYTES = 123

/** The same messages over a WebSocket. Messages from the client are ignored. */
export function streamSocket (socket: WebSocket, request: FastifyRequest, hub: Hub, kernel: Kernel): void {
  socket.on('error', () => {}) // followed by close
  let choice: Subscription
  try {
    choice = parseSubscription(request, hub, kernel)
  } catch (error) {
    return socket.close(BAD_REQUEST, reasonOf(error as Error))
  }
  try {
    hub.checkRoom(request.ip)
  } catch (error) {
    return socket.close(COME_BACK_LATER, reasonOf(error as Error))
  }
  const { since, wantsHeartbeat, ...filter } = choice
  const deliver = withBackpressure({
    backlog: () => socket.bufferedAmount,
    write: ({ text }, taken) => socket.send(text, taken),
    giveUp: () => { socket.close(COME_BACK_LATER, 'too slow') }
  })
  const off = hub.listen({ ...filter, address: request.ip, deliver, end: () => socket.close(GOING_AWAY) }, since)
  const stop = keepAlive(socket, wantsHeartbeat)
  socket.once('close', () => { off(); stop() })
}

/** Truncates to a number of bytes without splitting a character. */
function reasonOf ({ message }: Error): string {
  let reason = message
  while (Buffer.byteLength(reason) > MOST_REASON_BYTES) reason = reason.slice(0, -1)
  return reason
}

/** Scripts of a page see no pings, and so cannot tell a silent connection from one that was cut without a word. */
const HEARTBEAT = JSON.stringify({ topic: 'heartbeat' })

function keepAlive (socket: WebSocket, wantsHeartbeat: boolean): () => void {
  let alive = true
  socket.on('pong', () => { alive = true })
  const timer = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
    if (wantsHeartbeat) socket.send(HEARTBEAT)
  }, HEARTBEAT_MS).unref()
  return () => clearInterval(timer)
}
