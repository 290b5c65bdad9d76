import { activeFaults, hexColors, type PrinterSession, type PrinterState, type Spool } from '../../core/index.js'
import { SERIES, type JobContext, type PlateReference, type Series } from './types.js'

const SPEEDS: Readonly<Record<number, JobContext['speed']>> = { 1: 'QUIET', 2: 'STANDARD', 3: 'SPORT', 4: 'LUDICROUS' }
const NOZZLE_MM = 0.4

const seriesOf = (name: string): Series => SERIES.find(known => known === name) ?? 'UNKNOWN'

/** The spool that feeds the nozzle. */
const activeSpool = ({ spools, activeTray: { id, amsId, slot, external } }: PrinterState): Spool | undefined =>
  spools.find(spool => external ? spool.id === id : spool.amsId === amsId && spool.slot === slot)

/** Only a single colour tells how bright the part is; empty for clear and multi-coloured spools. */
function brightColor (spool: Spool): string {
  const [only = '', more] = hexColors(spool)
  return more === undefined ? only : ''
}

const filamentOf = (spool: Spool | undefined): JobContext['filament'] =>
  spool === undefined || spool.type === '' ? null : { type: spool.type, color: brightColor(spool) }

const humidityOf = ({ ams, activeTray }: PrinterState): number =>
  ams.units.find(({ id }) => id === activeTray.amsId)?.humidityIndex ?? 0

/** The part of a printer's state that an analysis uses, with neutral defaults for what is missing. */
export function contextOf ({ model }: PrinterSession, state: PrinterState,
  { settings = {}, plate }: Pick<PlateReference, 'settings' | 'plate'> = {}): JobContext {
  const { job, heat, fans, doors, detectors, device, lights } = state
  const nozzle = state.extruders.find(({ id }) => id === state.activeTray.tool)?.nozzle
  return {
    jobName: job.subtaskName === '' ? job.gcodeFile : job.subtaskName,
    gcodeState: job.gcodeState,
    stageId: job.stage.id,
    stageName: job.stage.name,
    layer: job.layer,
    totalLayers: job.totalLayers,
    progressPct: job.percent,
    remainingMinutes: job.remainingMinutes,
    nozzleC: heat.nozzle.actual,
    nozzleTargetC: heat.nozzle.target,
    bedC: heat.bed.actual,
    bedTargetC: heat.bed.target,
    chamberC: heat.chamber.actual,
    partFanPct: fans.part,
    auxFanPct: fans.aux,
    exhaustFanPct: fans.exhaust,
    amsHumidity: humidityOf(state),
    errors: activeFaults(state.errors.faults).length,
    spaghetti: { enabled: detectors.spaghetti.enabled, sensitivity: detectors.spaghetti.sensitivity },
    clumping: { enabled: detectors.nozzleClumping.enabled },
    airPrinting: { enabled: detectors.airPrinting.enabled },
    filament: filamentOf(activeSpool(state)),
    series: seriesOf(model.series),
    enclosed: model.enclosed,
    bedMm: model.bedMm,
    nozzleMm: nozzle?.diameterMm || device.nozzleDiameterMm || NOZZLE_MM,
    nozzleFlow: nozzle?.flow ?? 'STANDARD',
    speed: SPEEDS[job.speedLevel] ?? 'STANDARD',
    lightOn: lights.mode === 'on' || lights.mode === 'flashing',
    doorOpen: doors.doorOpen,
    lidOpen: doors.lidOpen,
    settings,
    ...(plate && { plate })
  }
}
