import type { FastifyInstance } from 'fastify'

export type { WebSocket } from '@fastify/websocket'

/** What a client says over a WebSocket is not listened to. */
const MOST_RECEIVED_BYTES = 1024

/** Lets routes of an instance take WebSockets (`wsHandler`, `{ websocket: true }`); once for a server. */
export async function installWebSockets (app: FastifyInstance): Promise<void> {
  const { default: websocket } = await import('@fastify/websocket')
  await app.register(websocket, { options: { maxPayload: MOST_RECEIVED_BYTES } })
}
