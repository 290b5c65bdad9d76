import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { listMessages, sendTestMessage } from './operations.js'

/** Fewer than usual, because agents pay for what they read. */
const USUAL = 20

export default [
  tool(listMessages, {
    name: 'list_messages',
    onRequest: true,
    description: 'Messages sent, and their targets',
    errors: 'coded',
    limited: 'messages',
    params: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Most rows' })),
      cursor: Type.Optional(Type.String({ description: '`cursor` of the page before' }))
    }),
    input: ({ limit = USUAL, cursor }) => ({ limit, ...(cursor !== undefined && { cursor }) })
  }),
  tool(sendTestMessage, { name: 'send_test_message', onRequest: true, description: 'Send a test message', errors: 'coded', idempotent: false })
]
