import { route } from '../../core/index.js'
import { changeBroker, readBroker, removeBroker, tryBroker } from './operations.js'

const tag = 'Home Assistant'

export default [
  route(readBroker, { method: 'GET', path: '/homeassistant', tag }),
  route(changeBroker, { method: 'POST', path: '/homeassistant', tag }),
  route(removeBroker, { method: 'DELETE', path: '/homeassistant', tag }),
  route(tryBroker, { method: 'POST', path: '/homeassistant/test', tag })
]
