import { ok, route } from '../../core/index.js'
import { extrudeFilament, homeAxes, motorsOff, moveAxis, readMotion } from './operations.js'

const tag = 'Motion'

export default [
  route(readMotion, { method: 'GET', path: '/motion', tag }),
  route(homeAxes, { method: 'POST', path: '/motion/home', tag, reply: ok }),
  route(moveAxis, { method: 'POST', path: '/motion/move', tag, reply: ok }),
  route(extrudeFilament, { method: 'POST', path: '/motion/extrude', tag, reply: ok }),
  route(motorsOff, { method: 'POST', path: '/motion/motors_off', tag, reply: ok })
]
