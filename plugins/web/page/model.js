// Turns a printer's state document into what the page shows. Pure.

import { colorOf, unitName, words } from '../../shell/page/format.js'

const BUSY = new Set(['RUNNING', 'PAUSE', 'PREPARE', 'SLICING'])
export const SPEEDS = ['quiet', 'standard', 'sport', 'ludicrous']
const FIRST_SINGLE_UNIT = 128
const A2L_UNIT = 16
const EXTERNAL_LEFT = 254

const positive = value => typeof value === 'number' && value >= 0 ? value : undefined

function jobOf (doc) {
  const { gcode_state: state = '' } = doc._printer_state ?? {}
  const job = doc._active_job_info ?? {}
  const isBusy = BUSY.has(state)
  return {
    state: job.cancelled === true ? 'CANCELLED' : state === '' ? 'UNKNOWN' : state,
    isCancelled: job.cancelled === true,
    isBusy,
    isPaused: state === 'PAUSE',
    stage: isBusy ? job.stage_name ?? '' : '', // outside a job it is left over from the last one
    name: job.subtask_name || job.gcode_file || '',
    /** When it began, s since the epoch; tells two jobs of the same name apart. */
    start: positive(job.wall_start_time),
    /** On the card, once it was found there. */
    file: job.project_info?.id ?? '',
    plate: job.plate_num > 0 ? job.plate_num : job.project_info?.plate_num ?? 1,
    percent: Math.min(100, Math.max(0, job.print_percentage ?? 0)),
    layer: job.current_layer ?? 0,
    layers: job.total_layers ?? 0,
    elapsed: positive(job.elapsed_minutes),
    remaining: positive(job.remaining_minutes),
    remainingByMoves: positive(job.remaining_minutes_by_moves)
  }
}

function toolsOf ({ extruders = [], active_tool: active }, { nozzle_max_c: max }) {
  const dual = extruders.length > 1
  return extruders.map(({ id, temp, temp_target: target }) => ({
    key: id === 1 ? 'tool_1' : 'tool',
    label: dual ? (id === 1 ? 'nozzle_left' : 'nozzle_right') : 'nozzle',
    actual: temp,
    target,
    route: 'set_tool_target_temp',
    ...(dual && { extruder: id, active: active === (id === 1 ? 'LEFT_EXTRUDER' : 'RIGHT_EXTRUDER') }),
    max
  }))
}

function heatersOf (doc) {
  const state = doc._printer_state ?? {}
  const { climate = {} } = state
  const { capabilities = {}, external_chamber: external } = doc._config ?? {}
  const { _limits: limits = {} } = doc
  const bed = {
    key: 'bed',
    label: 'bed',
    actual: climate.bed_temp,
    target: climate.bed_temp_target,
    route: 'set_bed_target_temp',
    max: limits.bed_max_c
  }
  const chamber = {
    key: 'chamber',
    label: 'chamber',
    actual: climate.chamber_temp,
    target: climate.chamber_temp_target,
    route: 'set_chamber_target_temp',
    max: limits.chamber_max_c || undefined
  }
  return [...toolsOf(state, limits), bed, ...(capabilities.has_chamber_temp || external ? [chamber] : [])]
}

/** @param {{ climate?: any }} state @param {{ aux_fan?: boolean, chamber_fan?: boolean }} limits */
const fansOf = ({ climate = {} }, { aux_fan: aux = true, chamber_fan: exhaust = true }) => [
  { key: 'part_fan', percent: climate.part_cooling_fan_speed_percent, route: 'set_fan_speed_target' },
  { key: 'aux_fan', percent: climate.aux_fan_speed_percent, route: 'set_aux_fan_speed_target' },
  { key: 'exhaust_fan', percent: climate.exhaust_fan_speed_percent, route: 'set_exhaust_fan_speed_target' },
  { key: 'heatbreak_fan', percent: climate.heatbreak_fan_speed_percent }
].filter(({ key }) => (aux || key !== 'aux_fan') && (exhaust || key !== 'exhaust_fan'))

/** Tray number for routes; the A2L's own unit counts its slots from 0. */
export const trayIdOf = (ams, slot) => ams < 0 || ams === A2L_UNIT
  ? slot
  : ams >= FIRST_SINGLE_UNIT ? ams + slot : ams * 4 + slot

/** Amount left on a spool, g; undefined while percentage or weight is unknown. */
const gramsOf = spool => spool?.tray_weight > 0 && positive(spool.remaining_percent) !== undefined
  ? Math.round(spool.tray_weight * spool.remaining_percent / 100)
  : undefined

const CLEAR = '#00000000'

/** All colours of a spool; empty when unknown. */
const coloursOf = ({ colors, color, color_known: known }) =>
  known === false ? [] : (colors ?? [color]).map(one => one === CLEAR ? one : colorOf(one)).filter(Boolean)

const slotOf = (unit, spool, slot, inUse) => ({
  ams: unit,
  slot,
  tray: trayIdOf(unit, slot),
  place: unit < 0 ? 'external' : 'slot',
  type: spool?.type ?? '',
  kind: spool?.sub_brands || spool?.type || '',
  color: spool?.type && spool.color_known !== false ? colorOf(spool.color) : undefined,
  colors: spool?.type ? coloursOf(spool) : [],
  translucent: spool?.translucent === true,
  left: positive(spool?.remaining_percent),
  grams: gramsOf(spool),
  catalogue: spool?.tray_info_idx ?? '',
  nozzle: [spool?.nozzle_temp_min ?? -1, spool?.nozzle_temp_max ?? -1],
  inUse
})

/** In the document spools are counted from the first unit on; routes take tray numbers. */
function isInUse (state, { id, ams_id: ams, slot_id: slot }) {
  const tools = (state.extruders ?? []).map(tool => tool.active_tray_id)
  const used = [state.active_tray_id, ...tools].filter(tray => tray >= 0)
  return state.active_tray_state !== 'UNLOADED' && used.some(tray => tray === id || tray === trayIdOf(ams, slot))
}

function unitsOf (state) {
  const { ams_units: units = [], spools = [] } = state
  return units.map(unit => ({
    id: unit.ams_id,
    name: unitName(unit.ams_id),
    model: unit.model,
    humidity: unit.humidity_raw > 0 ? `${unit.humidity_raw} %` : '',
    humidityLevel: unit.humidity_index,
    temp: unit.temp_actual || undefined,
    dryer: unit.dryer ?? undefined,
    side: { LEFT_EXTRUDER: 'left', RIGHT_EXTRUDER: 'right' }[unit.assigned_to_extruder] ?? '',
    slots: (unit.tray_exists ?? []).map((there, slot) => {
      const spool = spools.find(({ ams_id: id, slot_id: place }) => id === unit.ams_id && place === slot)
      return { ...slotOf(unit.ams_id, spool, slot, spool !== undefined && isInUse(state, spool)), there }
    })
  }))
}

const externalsOf = state => {
  const spools = (state.spools ?? []).filter(({ ams_id: id }) => id < 0)
  const dual = (state.extruders ?? []).length > 1
  return spools.map(spool => ({
    ...slotOf(-1, spool, spool.slot_id, isInUse(state, spool)),
    there: true,
    place: dual ? (spool.slot_id === EXTERNAL_LEFT ? 'left' : 'right') : 'external'
  }))
}

/** States of the AMS that need no action by the user. */
const QUIET = /^(|idle|assist.*|unknown.*)$/i

/**
 * Emphasis of a fault, by its severity in the API.
 * @param {{ is_critical?: boolean, severity?: string }} fault
 */
export const toneOf = ({ is_critical: critical, severity }) => critical ? 'bad' : severity === 'Info' ? '' : 'warn'

/**
 * Merges equal faults and counts them.
 * @param {readonly any[]} faults
 */
export const withoutRepeats = faults => faults
  .filter(({ code }, at) => faults.findIndex(other => other.code === code) === at)
  .map(fault => ({ ...fault, count: faults.filter(({ code }) => code === fault.code).length }))

const digitsOf = ({ code }) => `${code}`.replace(/^HMS_/, '').replaceAll('-', '')

/**
 * Drops entries of the HMS list that only repeat the printer's error number, with its module and the entry's last part.
 * @param {readonly any[]} faults
 */
export function withoutEchoes (faults) {
  const numbers = new Set(faults.filter(({ type }) => type === 'device_error').map(digitsOf))
  const isEcho = digits => numbers.has(digits.slice(0, 4) + digits.slice(-4))
  return faults.filter(fault => fault.type !== 'device_hms' || !isEcho(digitsOf(fault)))
}

const isIgnored = ({ ignored }) => ignored === true
const isHistory = fault => (fault.severity === 'Historical' || fault.cancelled === true) && !isIgnored(fault)

const nozzlesOf = ({ extruders = [], active_tool: active, active_nozzle: nozzle }) => ({
  dual: extruders.length > 1,
  active: active === 'LEFT_EXTRUDER' ? 'left' : 'right',
  list: (extruders.length > 0 ? extruders : [{ id: 0, nozzle }]).map(tool => ({
    label: extruders.length > 1 ? (tool.id === 1 ? 'left' : 'right') : 'one',
    diameter: tool.nozzle?.diameter_mm ?? 0,
    material: tool.nozzle?.material ?? '',
    flow: words(`${tool.nozzle?.flow ?? ''}`.replace(/^STANDARD$/, 'STANDARD_FLOW'))
  }))
})

/**
 * @param {any} doc the printer's state document
 * @returns the data of the page; all members are set, whatever the document lacks
 */
export function viewOf (doc) {
  const state = doc._printer_state ?? {}
  const { capabilities = {}, printer_model: model = '' } = doc._config ?? {}
  const faults = withoutEchoes(state.hms_errors ?? [])
  return {
    model,
    service: doc._service_state ?? 'NO_STATE',
    isLive: doc._recent_update === true,
    job: jobOf(doc),
    heaters: heatersOf(doc),
    fans: fansOf(state, doc._limits ?? {}),
    door: state.climate?.is_chamber_door_open === true && capabilities.has_chamber_door_sensor === true,
    light: doc._light_state === 'on',
    speed: SPEEDS[(doc._speed_level ?? 0) - 1] ?? '',
    wifi: state.wifi_signal_strength ?? '',
    units: unitsOf(state),
    externals: externalsOf(state),
    loaded: state.active_tray_state !== undefined && state.active_tray_state !== 'UNLOADED',
    feeding: QUIET.test(state.ams_status_text ?? 'Idle') ? '' : state.ams_status_text,
    faults: withoutRepeats(faults.filter(fault => !isHistory(fault) && !isIgnored(fault))),
    ignoredFaults: faults.filter(isIgnored),
    pastFaults: withoutRepeats(faults.filter(isHistory)),
    printError: state.print_error ?? 0,
    skipped: doc._skipped_objects ?? [],
    nozzles: nozzlesOf(state),
    settings: doc._config ?? {},
    capabilities,
    bed: doc._limits?.volume_mm
  }
}
