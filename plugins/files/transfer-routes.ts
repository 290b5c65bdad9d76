import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { BadInput, NotFound, Success, type Kernel } from '../../core/index.js'
import type { Transfers } from './types.js'

const PATH = '/api/file_transfers'

const Milliseconds = (description: string) => Type.Integer({ description: `${description}, ms since the epoch` })
const Transfer = Type.Object({
  id: Type.String(),
  printer: Type.String({ description: 'Name of the printer' }),
  direction: Type.Enum(['upload', 'download']),
  path: Type.String({ description: 'Full path on the card' }),
  status: Type.Enum(['running', 'done', 'failed', 'cancelled']),
  bytes: Type.Integer({ description: 'Carried so far' }),
  total: Type.Integer({ description: 'Bytes; 0 while it is not known' }),
  startedAt: Milliseconds('Began'),
  endedAt: Type.Optional(Milliseconds('Ended')),
  error: Type.Optional(Type.String({ description: 'Why it failed' }))
}, { 'x-name': 'Transfer' })

const json = (schema: object) => ({ description: 'Success', content: { 'application/json': { schema } } })

/** Recent transfers, and their cancellation. */
export function serveTransfers (app: FastifyInstance, transfers: Transfers, { services }: Kernel): void {
  const { failures, sendJson } = services.http

  app.get<{ Querystring: { printer?: string } }>(PATH, {
    config: {
      openapi: {
        operationId: 'getFileTransfers',
        summary: 'Transfers between this host and the cards, newest first',
        tags: ['Files'],
        querystring: Type.Object({ printer: Type.Optional(Type.String({ description: 'Only those of this printer' })) }),
        response: {
          ...failures({ method: 'GET' }, PATH),
          200: json(Type.Object({ transfers: Type.Array(Transfer) }))
        }
      }
    }
  }, ({ query: { printer } }, reply) => sendJson(reply, { transfers: transfers.list(printer) }))

  app.delete<{ Querystring: { id?: string } }>(PATH, {
    config: {
      openapi: {
        operationId: 'deleteFileTransfers',
        summary: '⚠ Cancel a transfer',
        tags: ['Files'],
        querystring: Type.Object({ id: Type.String({ description: 'As listed' }) }),
        response: { ...failures({ method: 'DELETE', errors: [NotFound] }, PATH), 200: json(Success) }
      }
    }
  }, ({ query: { id } }, reply) => {
    if (id === undefined || id === '') throw new BadInput('id is required')
    transfers.cancel(id)
    return sendJson(reply, { status: 'success' })
  })
}
