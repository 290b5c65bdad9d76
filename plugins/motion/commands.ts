import type { Command } from '../../core/index.js'
import type { Axis, Travel } from './travels.js'

const gcode = (...lines: readonly string[]): Command =>
  ({ section: 'print', command: 'gcode_line', param: lines.map(line => `${line}\n`).join('') })

/** mm per minute. */
const SPEEDS: Readonly<Record<Axis, number>> = { X: 3_000, Y: 3_000, Z: 900 }
/** mm of filament per minute: about 7 mm³ per second, which every hotend melts. */
const FILAMENT_SPEED = 180
const MS_PER_MINUTE = 60_000

/** How long the printer is on its way, ms. */
export const moveMs = ({ axis }: Pick<Travel, 'axis'>, mm: number): number => mm / SPEEDS[axis] * MS_PER_MINUTE
export const extrudeMs = (mm: number): number => mm / FILAMENT_SPEED * MS_PER_MINUTE

/**
 * Homes all axes. A part of them is never homed: with the head over the bed, Z alone can drive one into the other.
 * @wire print.gcode_line, G28
 */
export const home = (): Command => gcode('G28')

/**
 * Moves one axis from where it is. The limits of the firmware are switched on for the move, and all modes are as
 * before afterwards.
 * @unit mm above 0
 * @wire print.gcode_line, M211, M1002, G91, G1
 */
export const move = ({ axis, sign }: Pick<Travel, 'axis' | 'sign'>, mm: number): Command => gcode(
  'M211 S',
  'M211 X1 Y1 Z1',
  'M1002 push_ref_mode',
  'G91',
  `G1 ${axis}${(sign * mm).toFixed(1)} F${SPEEDS[axis]}`,
  'M1002 pop_ref_mode',
  'M211 R'
)

/**
 * Feeds filament into the active nozzle, or pulls it back.
 * @unit mm of filament; negative back
 * @wire print.gcode_line, M83, G0
 */
export const extrude = (mm: number): Command => gcode('M83', `G0 E${mm.toFixed(1)} F${FILAMENT_SPEED}`)

/**
 * Takes the current from the motors: what they held can be pushed by hand, and no axis is homed any more.
 * @wire print.gcode_line, M18
 */
export const releaseMotors = (): Command => gcode('M18')
