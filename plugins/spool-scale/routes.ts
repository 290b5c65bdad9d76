import { route } from '../../core/index.js'
import { chooseForScale, readScales } from './operations.js'

const tag = 'Spools'

export default [
  route(readScales, { method: 'GET', path: '/spool_scale', tag }),
  route(chooseForScale, { method: 'POST', path: '/spool_scale/next', tag })
]
