import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { takeAlerts } from './operations.js'

export default [
  tool(takeAlerts, {
    name: 'get_pending_alerts',
    description: 'Alerts since they were last read',
    returns: 'list',
    effect: 'read',
    idempotent: false,
    doing: 'reading alerts of <name>',
    params: Type.Object({ clear: Type.Optional(Type.Boolean({ default: true, description: 'false = peek' })) }),
    input: ({ clear = true }) => ({ clear })
  })
]
