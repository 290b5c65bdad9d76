import { ok, route } from '../../core/index.js'
import { listMessages, sendTestMessage } from './operations.js'
import { addDevice, changeDevice, readPush, removeDevice, testDevice } from './push-operations.js'
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
  route(setQuietHours, { method: 'PATCH', path: '/messages/quiet', tag }),
  route(readPush, { method: 'GET', path: '/messages/push', tag }),
  route(addDevice, { method: 'POST', path: '/messages/push', tag }),
  route(changeDevice, { method: 'PATCH', path: '/messages/push', tag }),
  route(removeDevice, { method: 'DELETE', path: '/messages/push', tag }),
  route(testDevice, { method: 'POST', path: '/messages/push/test', tag })
]
