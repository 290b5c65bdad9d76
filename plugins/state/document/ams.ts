import {
  spoolColors, type ActiveTray, type AmsUnit, type Dryer, type Extruder, type HmsCatalogue, type Nozzle, type Spool
} from '../../../core/index.js'
import { refusalMessage, type Filaments } from '../../filament/index.js'

/** Extruder ids by name. */
export const TOOL_NAMES: Readonly<Record<number, string>> =
  { [-1]: 'SINGLE_EXTRUDER', 0: 'RIGHT_EXTRUDER', 1: 'LEFT_EXTRUDER', 15: 'NOT_ACTIVE' }

const onOff = (on: boolean) => on ? 'ON' : 'OFF'

export const dryerEntry = (dryer: Dryer, texts: HmsCatalogue) => ({
  state: dryer.state,
  sub_status: dryer.subStatus,
  fan1_status: onOff(dryer.fan1),
  fan2_status: onOff(dryer.fan2),
  remaining_minutes: dryer.remainingMinutes,
  temp_target: dryer.targetC,
  duration_target_hours: dryer.durationHours,
  filament_target: dryer.filament,
  refusals: dryer.refusals,
  refusal_message: refusalMessage(dryer.refusals),
  fail_code: dryer.failCode,
  fail_message: dryer.failErrorNumber === 0 ? dryer.failReason : texts.explain(dryer.failErrorNumber, dryer.failReason),
  fail_count: dryer.failCount
})

export const amsUnitEntry = (unit: AmsUnit, dual: boolean, texts: HmsCatalogue) => ({
  ams_id: unit.id,
  chip_id: unit.chipId,
  model: unit.model,
  temp_actual: unit.temperatureC,
  humidity_index: unit.humidityIndex,
  humidity_raw: unit.humidityPercent,
  ams_info: unit.info,
  dryer: unit.dryer ? dryerEntry(unit.dryer, texts) : null,
  tray_exists: unit.trayExists,
  assigned_to_extruder: dual ? TOOL_NAMES[unit.extruder ?? 15] ?? 'NOT_ACTIVE' : 'SINGLE_EXTRUDER'
})

function colorFields (spool: Spool) {
  const { colors, isTranslucent } = spoolColors(spool)
  return { colors: colors.map(color => `#${color}`), translucent: isTranslucent, color_known: colors.length > 0 }
}

export const spoolEntry = (spool: Spool, filaments: Filaments) => ({
  id: spool.id,
  slot_id: spool.slot,
  ams_id: spool.amsId,
  name: spool.name,
  type: spool.type,
  sub_brands: spool.subBrand,
  color: filaments.spoolColorText(spool),
  ...colorFields(spool),
  tray_info_idx: spool.filamentId,
  k: spool.k,
  bed_temp: spool.bedC,
  nozzle_temp_min: spool.nozzleMinC,
  nozzle_temp_max: spool.nozzleMaxC,
  drying_temp: spool.dryingC,
  drying_time: spool.dryingHours,
  remaining_percent: spool.remainingPercent,
  state: spool.state,
  total_length: spool.lengthMm,
  tray_weight: spool.weightG
})

/** As {@link spoolEntry}, with the names of its filament and colour. */
export async function namedSpoolEntry (spool: Spool, filaments: Filaments) {
  const { name, words } = await filaments.spoolColorNames(spool)
  const material = filaments.byId(spool.filamentId)?.name ?? spool.type
  return {
    ...spoolEntry(spool, filaments),
    color_name: name,
    display_name: material === '' ? '' : `${material} (${words})`
  }
}

export const nozzleEntry = (nozzle: Nozzle) => ({
  material: nozzle.material,
  diameter_mm: nozzle.diameterMm,
  flow: nozzle.flow,
  encoded_id: nozzle.encodedId,
  telemetry_type_raw: nozzle.rawType
})

/** Slot within the unit; 254 and 255 external holders; -1 none. */
const trayId = (tray: Extruder['tray']): number =>
  tray === undefined ? -1 : tray.amsId >= 254 ? tray.amsId : tray.slot

export const extruderEntry = (extruder: Extruder) => ({
  id: extruder.id,
  temp: extruder.temperature.actual,
  temp_target: extruder.temperature.target,
  info_bits: extruder.infoBits,
  state: extruder.state,
  status: extruder.status,
  nozzle: nozzleEntry(extruder.nozzle),
  active_tray_id: trayId(extruder.tray),
  target_tray_id: trayId(extruder.targetTray),
  tray_state: extruder.trayState,
  assigned_to_ams_id: extruder.amsId
})

/** The spool in the active tray; undefined when none is active or it is not listed. */
export function activeSpool (spools: readonly Spool[], { external, slot, amsId, id }: ActiveTray): Spool | undefined {
  if (id === -1) return undefined
  return spools.find(spool => spool.slot === slot && (external || spool.amsId === amsId))
}
