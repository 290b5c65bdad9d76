import type { FastifyInstance } from 'fastify'

export type { WebSocket } from '@fastify/websocket'

/** Messages from clients are ignored, so large ones are refused. */
const MOST_RECEIVED_BYTES = 1024

/** Enables WebSocket routes (`wsHandler`, `{ websocket: true }`); once per server. */
export async function installWebSockets (app: FastifyInstance): Promise<void> {
  const { default: websocket } = await import('@fastify/websocket')
  await app.register(websocket, { options: { maxPayload: MOST_RECEIVED_BYTES } })
}
