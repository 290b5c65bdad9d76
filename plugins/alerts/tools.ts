import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { takeAlerts } from './operations.js'

/** What was taken from the queue must arrive as plain text: longer answers are compressed, which no agent reads. */
const MOST_CHARS = 20_000

export default [
  tool(takeAlerts, {
    name: 'get_pending_alerts',
    description: 'Unread alerts; repeat until none',
    returns: 'list',
    effect: 'read',
    idempotent: false,
    doing: 'reading alerts of <name>',
    params: Type.Object({ clear: Type.Optional(Type.Boolean({ default: true, description: 'false = peek' })) }),
    input: ({ clear = true }) => ({ clear, mostChars: MOST_CHARS })
  })
]
