import { ok, route } from '../../core/index.js'
import { listMessages, sendTestMessage } from './operations.js'

const tag = 'Messages'

export default [
  route(listMessages, { method: 'GET', path: '/messages', tag }),
  route(sendTestMessage, { method: 'POST', path: '/messages/test', tag, reply: ok })
]
