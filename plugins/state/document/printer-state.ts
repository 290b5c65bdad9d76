import type { HmsCatalogue, PrinterSession, PrinterState } from '../../../core/index.js'
import type { Filaments } from '../../filament/index.js'
import { extruderEntry, nozzleEntry, spoolEntry, TOOL_NAMES, amsUnitEntry } from './ams.js'
import { faultEntries } from './faults.js'

const countBits = (word: number): number => word.toString(2).replaceAll('0', '').length

const AIR_MODES: Readonly<Record<number, string>> = { 0: 'COOL_MODE', 1: 'HEAT_MODE' }

/** Part ids of the air duct. */
const DUCT = { part: 16, aux: 32, exhaust: 48, intake: 96 } as const

const climate = ({ heat, fans, airDuct, doors }: PrinterState) => {
  const { parts } = airDuct
  const intakeOpen = (parts[DUCT.intake] ?? 0) !== 0
  return {
    bed_temp: heat.bed.actual,
    bed_temp_target: heat.bed.target,
    airduct_mode: airDuct.mode,
    airduct_sub_mode: airDuct.subMode,
    chamber_temp: heat.chamber.actual,
    chamber_temp_target: heat.chamber.target,
    air_conditioning_mode: AIR_MODES[airDuct.mode] ?? 'NOT_SUPPORTED',
    part_cooling_fan_speed_percent: fans.part,
    part_cooling_fan_speed_target_percent: fans.partTarget,
    aux_fan_speed_percent: fans.aux,
    exhaust_fan_speed_percent: fans.exhaust,
    heatbreak_fan_speed_percent: fans.heatbreak,
    enhanced_cooling_fan_target_percent: fans.enhancedTarget,
    zone_intake_open: intakeOpen,
    zone_part_fan_percent: parts[DUCT.part] ?? 0,
    zone_aux_percent: parts[DUCT.aux] ?? 0,
    zone_exhaust_percent: parts[DUCT.exhaust] ?? 0,
    zone_top_vent_open: (parts[DUCT.exhaust] ?? 0) > 0 && !intakeOpen,
    is_chamber_door_open: doors.doorOpen,
    is_chamber_lid_open: doors.lidOpen
  }
}

const MOUNT_NUMBERS = { UNKNOWN: -1, NOT_MOUNTED: 0, MOUNTED: 1, NO_MODULE: 2, NO_CABLE: 3 } as const

const extensionTool = ({ extensionTool: tool }: PrinterState) => ({
  tool_type: tool.type,
  mount_state: tool.mount,
  mount_state_raw: MOUNT_NUMBERS[tool.mount],
  calibration_raw: tool.calibration,
  type_raw: tool.rawType
})

/** The `_printer_state` part of the document. */
export function printerState (state: PrinterState, { config }: PrinterSession, texts: HmsCatalogue,
  filaments: Filaments) {
  const { job, activeTray, heat, ams, extruders, capabilities } = state
  const nozzle = extruders.find(({ id }) => id === activeTray.tool) ?? extruders[0]
  return {
    gcode_state: job.gcodeState,
    active_ams_id: activeTray.amsId,
    active_tray_id: activeTray.id,
    active_tray_state: activeTray.state,
    active_tray_state_name: activeTray.state,
    target_tray_id: activeTray.targetId,
    active_tool: TOOL_NAMES[activeTray.tool] ?? 'NOT_ACTIVE',
    is_external_spool_active: activeTray.external,
    active_nozzle_temp: heat.nozzle.actual,
    active_nozzle_temp_target: heat.nozzle.target,
    active_nozzle: nozzle ? nozzleEntry(nozzle.nozzle) : null,
    ams_status_raw: ams.statusRaw,
    ams_status_text: ams.statusText,
    ams_exist_bits: ams.existBits,
    ams_connected_count: countBits(ams.existBits),
    ams_units: ams.units.map(unit => amsUnitEntry(unit, capabilities.hasDualExtruder, texts)),
    extruders: extruders.map(extruderEntry),
    spools: state.spools.map(spool => spoolEntry(spool, filaments)),
    print_error: state.errors.printError,
    hms_errors: faultEntries(state, texts, config.serial),
    wifi_signal_strength: state.device.wifiSignal,
    climate: climate(state),
    extension_tool: extensionTool(state),
    stat: state.device.stat,
    fun: state.device.fun
  }
}

/** The `_printer_state` part of the document. */
export type PrinterPart = ReturnType<typeof printerState>
