import type { Command, ModelInfo } from '../../core/index.js'
import type { Fan } from './schemas.js'

const gcode = (...lines: readonly string[]): Command =>
  ({ section: 'print', command: 'gcode_line', param: lines.map(line => `${line}\n`).join('') })

/**
 * Heated-bed target; 0 turns the heater off.
 * @unit celsius °C, integer
 * @wire print.gcode_line, M140
 */
export const bedTarget = (celsius: number): Command => gcode(`M140 S${celsius}`)

/**
 * Nozzle target; 0 turns the heater off.
 * @param extruder tool of a dual printer, 0 right or 1 left; undefined the active one
 * @wire print.gcode_line, M104
 */
export const nozzleTarget = (celsius: number, extruder?: number): Command =>
  gcode(extruder === undefined ? `M104 S${celsius}` : `M104 S${celsius} T${extruder}`)

/** Below this the chamber is cooled, not heated: a limit of the firmware. */
const HEAT_FROM_C = 40
const COOLING = 0
const HEATING = 1
/** Leaves the sub-mode unchanged. */
const SAME_SUB_MODE = -1

/**
 * Chamber target, for models that heat their chamber.
 * @wire print.set_ctt; on the X1E print.gcode_line, M141
 */
export const chamberTarget = (celsius: number, heater: NonNullable<ModelInfo['chamberHeater']>): Command =>
  heater === 'M141'
    ? gcode(`M141 S${celsius}`)
    : { section: 'print', command: 'set_ctt', ctt_val: celsius, temper_check: true }

/**
 * Sets the air duct to match a chamber target that the printer has accepted.
 * @wire print.set_airduct
 */
export const ductFor = (celsius: number): Command => ({
  section: 'print',
  command: 'set_airduct',
  modeId: celsius < HEAT_FROM_C ? COOLING : HEATING,
  submode: SAME_SUB_MODE
})

/** Fan numbers of M106. */
const FAN_NUMBERS: Readonly<Record<Fan, number>> = { part_cooling: 1, aux: 2, exhaust: 3, enhanced_cooling: 9 }
const FULL_SPEED = 255

/**
 * Fan speed.
 * @unit percent 0 to 100
 * @wire print.gcode_line, M106
 */
export const fanSpeed = (fan: Fan, percent: number): Command =>
  gcode(`M106 P${FAN_NUMBERS[fan]} S${Math.min(FULL_SPEED, Math.round(percent * 2.55))}`)

/** The light node that every printer has. */
export const MAIN_LIGHT = 'chamber_light'
/** Light nodes of some printers only. */
export const OTHER_LIGHTS = ['chamber_light2', 'column_light']

/**
 * Switches one light. Times in ms; they matter only for flashing.
 * @wire system.ledctrl
 */
export const light = (node: string, on: boolean): Command => ({
  section: 'system',
  command: 'ledctrl',
  led_node: node,
  led_mode: on ? 'on' : 'off',
  led_on_time: 500,
  led_off_time: 500,
  loop_times: 0,
  interval_time: 0
})

/**
 * Makes an extruder the active one.
 * @wire print.select_extruder
 */
export const activeExtruder = (extruder: number): Command =>
  ({ section: 'print', command: 'select_extruder', extruder_index: extruder })
