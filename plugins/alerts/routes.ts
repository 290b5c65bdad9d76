import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { clearAlerts, readAlerts } from './operations.js'

const tag = 'System'

export default [
  route(readAlerts, { method: 'GET', path: '/alerts', tag }),
  route(clearAlerts, {
    method: 'DELETE',
    path: '/alerts',
    tag,
    body: Type.Object({ status: Type.Literal('ok') }),
    reply: () => ({ status: 'ok' })
  })
]
