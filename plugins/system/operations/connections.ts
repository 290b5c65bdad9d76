import { Type } from 'typebox'
import { operation } from '../../../core/index.js'

const Connection = Type.Object({
  name: Type.String({ description: 'Such as `homeassistant`, `database`, `fleet`, `notify.NAME`' }),
  what: Type.String({ description: 'In words' }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'Protocol, host and port, never a login or a path; null for callers that are not trusted'
  }),
  status: Type.Enum(['unused', 'connected', 'failed'], { description: 'unused: nothing was asked of it yet' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed, in words' }),
  since: Type.String({ description: 'When the status became this' })
}, { 'x-name': 'OutsideConnection' })

export const listConnections = operation({
  name: 'system.listConnections',
  summary: 'What the service connects to besides printers, and whether it can',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ connections: Type.Array(Connection) }),
  async run ({ kernel, trusted }) {
    const found = await kernel.connections.refresh()
    return {
      connections: found.map(({ name, what, address, status, problem = null, since }) =>
        ({ name, what, address: trusted ? address : null, status, problem, since: new Date(since).toISOString() }))
    }
  }
})
