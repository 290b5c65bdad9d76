import { route } from '../../core/index.js'
import {
  addNetwork, cancelTask, chooseRemote, forgetRemote, installNetworkRuntime, readNetworks, removeNetwork, tryNetworks
} from './operations.js'

const tag = 'Camera'

export default [
  route(readNetworks, { method: 'GET', path: '/health/networks', tag }),
  route(addNetwork, { method: 'POST', path: '/health/networks', tag }),
  route(removeNetwork, { method: 'DELETE', path: '/health/networks', tag }),
  route(tryNetworks, { method: 'POST', path: '/health/networks/try', tag }),
  route(cancelTask, { method: 'POST', path: '/health/networks/cancel', tag }),
  route(installNetworkRuntime, { method: 'POST', path: '/health/runtime', tag }),
  route(chooseRemote, { method: 'POST', path: '/health/remote', tag }),
  route(forgetRemote, { method: 'DELETE', path: '/health/remote', tag })
]
