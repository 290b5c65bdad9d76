import { route } from '../../core/index.js'
import { changeNight, readNight, readReport } from './operations.js'

const tag = 'Night'

export default [
  route(readNight, { method: 'GET', path: '/night', tag }),
  route(changeNight, { method: 'PATCH', path: '/night', tag }),
  route(readReport, { method: 'GET', path: '/night/report', tag })
]
