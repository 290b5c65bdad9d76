import { tool } from '../../core/index.js'
import { extrudeFilament, homeAxes, motorsOff, moveAxis, readMotion } from './operations.js'

/** Nobody moves a printer by chance: it is listed only for those who ask for it. */
const onRequest = true

export default [
  tool(readMotion, {
    name: 'get_motion', description: 'Which moves by hand are possible now, and why not: homed axes, heat, jobs', errors: 'coded', onRequest
  }),
  tool(homeAxes, { name: 'home_axes', doing: 'homing <name>', errors: 'coded', idempotent: false, onRequest }),
  tool(moveAxis, { name: 'move_axis', doing: 'moving <name>', errors: 'coded', idempotent: false, onRequest }),
  tool(extrudeFilament, { name: 'extrude_filament', doing: 'extruding on <name>', errors: 'coded', idempotent: false, onRequest }),
  tool(motorsOff, { name: 'release_motors', doing: 'releasing the motors of <name>', errors: 'coded', onRequest })
]
