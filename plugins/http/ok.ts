import type { FastifyReply } from 'fastify'

/** Says that the printer never answered; the body of such a reply has no room for it. */
export const UNCONFIRMED_HEADER = 'prn-command'

/** The plain success body of write routes. */
export function ok (output: unknown, _params: unknown, response: FastifyReply): { status: 'success' } {
  if ((output as { confirmed?: boolean } | undefined)?.confirmed === false) {
    response.header(UNCONFIRMED_HEADER, 'unconfirmed')
  }
  return { status: 'success' }
}
