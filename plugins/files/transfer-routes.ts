import type { FastifyInstance } from 'fastify'
import { BadInput } from '../../core/index.js'
import type { Transfers } from './transfers.js'

const PATH = '/api/file_transfers'
const text = (type: string, description: string) => ({ type, description })
const answer = (description: string) => ({ description, type: 'object', additionalProperties: true })

/** What became of the transfers of late, and a way to end one. */
export function serveTransfers (app: FastifyInstance, transfers: Transfers, redact: (text: string) => string): void {
  const listed = (printer: string | undefined): unknown =>
    JSON.parse(redact(JSON.stringify({ transfers: transfers.list(printer) })))

  app.get<{ Querystring: { printer?: string } }>(PATH, {
    schema: {
      operationId: 'getFileTransfers',
      summary: 'Transfers between this host and the cards, newest first',
      tags: ['Files'],
      querystring: { type: 'object', properties: { printer: text('string', 'Only those of this printer') } },
      response: { 200: answer('The transfers'), 403: answer('Refused because of where the request comes from') }
    }
  }, async ({ query: { printer } }) => listed(printer))

  app.delete<{ Querystring: { id?: string } }>(PATH, {
    schema: {
      operationId: 'deleteFileTransfers',
      summary: '⚠ Cancel a transfer',
      tags: ['Files'],
      querystring: { type: 'object', properties: { id: text('string', 'Required. As listed') } },
      response: { 200: answer('Cancelled'), 400: answer('There is no such transfer') }
    }
  }, async ({ query: { id } }) => {
    if (id === undefined || id === '') throw new BadInput('id is required')
    transfers.cancel(id)
    return { status: 'success' }
  })
}
