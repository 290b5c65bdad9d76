import {
  activeFaults, elapsedMinutes, isHolder, type HmsCatalogue, type PrinterSession, type PrinterState, type Spool
} from '../../core/index.js'
import { spoolColorText } from '../filament/index.js'

const tenth = (value: number) => Math.round(value * 10) / 10

function activeSpool ({ activeTray, spools }: PrinterState): Spool | undefined {
  const { id, amsId, slot } = activeTray
  if (id === -1) return undefined
  return isHolder(id) || isHolder(amsId)
    ? spools.find(spool => spool.id === (isHolder(amsId) ? amsId : id))
    : spools.find(spool => spool.amsId === amsId && spool.slot === slot)
}

function activeFilament (state: PrinterState) {
  const spool = activeSpool(state)
  if (spool === undefined || spool.type === '') return null
  return { type: spool.type, color: spoolColorText(spool), remaining_pct: spool.remainingPercent }
}

const humidityOf = ({ ams, activeTray }: PrinterState): number =>
  ams.units.find(({ id }) => id === activeTray.amsId)?.humidityIndex ?? 0

/** A device error is shown with the first HMS entry only. */
const shownFaults = (state: PrinterState, texts: HmsCatalogue) => activeFaults(state.errors.faults).map(fault =>
  ({ code: fault.code, msg: texts.describe(fault), url: texts.url(fault), is_critical: fault.critical }))

const nozzlesOf = ({ extruders, heat }: PrinterState) => extruders.length === 0
  ? [{ id: -1, temp: tenth(heat.nozzle.actual), target: tenth(heat.nozzle.target) }]
  : extruders.map(({ id, temperature }) => ({ id, temp: tenth(temperature.actual), target: tenth(temperature.target) }))

/** The part of the print's status in a snapshot and on the stream page; undefined before the first report. */
export function statusDocument ({ state }: PrinterSession, texts: HmsCatalogue) {
  if (state === undefined) return undefined
  const { job, heat, fans, doors, device } = state
  const faults = shownFaults(state, texts)
  return {
    gcode_state: job.gcodeState as string,
    cancelled: job.cancelled,
    print_percentage: job.percent,
    current_layer: job.layer,
    total_layers: job.totalLayers,
    elapsed_minutes: elapsedMinutes(state),
    remaining_minutes: job.remainingMinutes,
    stage_name: job.stage.name,
    subtask_name: job.subtaskName,
    nozzles: nozzlesOf(state),
    bed_temp: tenth(heat.bed.actual),
    bed_temp_target: tenth(heat.bed.target),
    chamber_temp: tenth(heat.chamber.actual),
    chamber_temp_target: tenth(heat.chamber.target),
    part_cooling_pct: fans.part,
    aux_pct: fans.aux,
    exhaust_pct: fans.exhaust,
    heatbreak_pct: fans.heatbreak,
    is_chamber_door_open: doors.doorOpen,
    is_chamber_lid_open: doors.lidOpen,
    active_filament: activeFilament(state),
    ams_humidity_index: humidityOf(state),
    speed_level: job.speedLevel,
    wifi_signal: device.wifiSignal,
    active_error_count: faults.length,
    hms_errors: faults
  }
}
export type StatusDocument = NonNullable<ReturnType<typeof statusDocument>>
