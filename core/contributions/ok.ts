import type { FastifyReply } from 'fastify'
import { Type, type Static } from 'typebox'

/** Header of an unconfirmed command, for clients that only read headers. */
export const UNCONFIRMED_HEADER = 'prnd-command'

/** The body of {@link ok}. */
export const Success = Type.Object({
  status: Type.Literal('success'),
  confirmed: Type.Optional(Type.Literal(false, {
    description: 'Only there when the printer took the command and never answered it'
  })),
  note: Type.Optional(Type.String({ description: 'What the caller should know although it is a success' }))
}, { 'x-name': 'Success' })
export type Ok = Static<typeof Success>

/** The simple success body of write routes. */
export function ok (output: unknown, _params: unknown, response: FastifyReply): Ok {
  const { confirmed, note } = output as { confirmed?: boolean, note?: string } | undefined ?? {}
  if (confirmed === false) response.header(UNCONFIRMED_HEADER, 'unconfirmed')
  return { status: 'success', ...(confirmed === false && { confirmed }), ...(note !== undefined && { note }) }
}
