import { route } from '../../core/index.js'
import { addSpool, assignSpool, changeSpool, listSpools, settleUse } from './operations.js'

const tag = 'Spools'

export default [
  route(listSpools, { method: 'GET', path: '/spools', tag }),
  route(addSpool, { method: 'POST', path: '/spools', tag }),
  route(changeSpool, { method: 'PATCH', path: '/spools/:id', tag }),
  route(assignSpool, { method: 'POST', path: '/spools/assign', tag }),
  route(settleUse, { method: 'POST', path: '/spools/settle', tag })
]
