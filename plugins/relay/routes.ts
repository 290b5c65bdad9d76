import { route } from '../../core/index.js'
import { listRelayed } from './operations.js'
import {
  addClient, changeClient, readSetup, removeClient, removePrinter, renewCode, setPrinter
} from './setup-operations.js'

const tag = 'Relay'

export default [
  route(listRelayed, { method: 'GET', path: '/relay', tag }),
  route(readSetup, { method: 'GET', path: '/relay/setup', tag }),
  route(addClient, { method: 'POST', path: '/relay/clients', tag }),
  route(changeClient, { method: 'PATCH', path: '/relay/clients', tag }),
  route(removeClient, { method: 'DELETE', path: '/relay/clients', tag }),
  route(renewCode, { method: 'POST', path: '/relay/clients/code', tag }),
  route(setPrinter, { method: 'POST', path: '/relay/printers', tag }),
  route(removePrinter, { method: 'DELETE', path: '/relay/printers', tag })
]
