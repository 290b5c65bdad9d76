import { ok, route } from '../../core/index.js'
import { listMessages, sendTestMessage } from './operations.js'
import { addTarget, changeTarget, readSetup, removeTarget, setQuietHours, tryTarget } from './setup-operations.js'

const tag = 'Messages'

export default [
  route(listMessages, { method: 'GET', path: '/messages', tag }),
  route(sendTestMessage, { method: 'POST', path: '/messages/test', tag, reply: ok }),
  route(readSetup, { method: 'GET', path: '/messages/setup', tag }),
  route(addTarget, { method: 'POST', path: '/messages/targets', tag }),
  route(changeTarget, { method: 'PATCH', path: '/messages/targets', tag }),
  route(removeTarget, { method: 'DELETE', path: '/messages/targets', tag }),
  route(tryTarget, { method: 'POST', path: '/messages/targets/test', tag }),
  route(setQuietHours, { method: 'PATCH', path: '/messages/quiet', tag })
]
