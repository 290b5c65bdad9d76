import { route } from '../../core/index.js'
import { readFleet } from './operations.js'

export default [route(readFleet, { method: 'GET', path: '/fleet/nodes', tag: 'System' })]
