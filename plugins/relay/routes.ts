import { route } from '../../core/index.js'
import { listRelayed } from './operations.js'

export default [route(listRelayed, { method: 'GET', path: '/relay', tag: 'Relay' })]
