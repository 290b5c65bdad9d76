import { amsStatus } from '../machine/filament-change.js'
import type { Json } from '../json-merge.js'
import { isBusy, PREPARE_MS, progress, SPEED_PCT } from '../machine/job.js'
import { isHolder, isHt, LEFT_HOLDER } from '../machine/slots.js'
import type { GcodeState, Machine, Slot } from '../machine/types.js'

const MINUTE_MS = 60_000
const UNUSED = 65535

/** Numeric twins of `gcode_state`, modern only. */
const STATE: Readonly<Record<GcodeState, number>> =
  { IDLE: 0, PREPARE: 2, RUNNING: 4, PAUSE: 5, FINISH: 6, FAILED: 7 }
const JOB_STATE: Readonly<Record<GcodeState, number>> =
  { IDLE: 0, PREPARE: 2, RUNNING: 4, PAUSE: 5, FINISH: 8, FAILED: 9 }

const percent = ({ job }: Machine): number => Math.floor(progress(job) * 100)

const minutes = (m: Machine): number =>
  isBusy(m) ? Math.ceil((m.job.durationMs - m.job.elapsedMs) / MINUTE_MS) : 0

const layer = ({ job }: Machine): number => {
  if (job.state === 'FINISH') return job.layers
  return job.elapsedMs === 0 ? 0 : Math.min(job.layers, 1 + Math.floor(progress(job) * job.layers))
}

const layers = (m: Machine): number =>
  m.traits.forgetsLayers && !isBusy(m) ? 0 : m.job.layers

/** `stg_cur`: a filament change outside or inside a job hides every other stage. */
const stage = ({ ams, job }: Machine): number => ams.change?.stage ?? job.stage

const printType = (m: Machine): string => {
  if (isBusy(m)) return m.job.durationMs === 0 ? 'system' : 'local'
  return m.traits.modern ? '' : 'idle'
}

/** A slot in one word: unit in the upper byte; holders read FF00 right and FE00 left. */
export const slotWord = (m: Machine, { ams, slot }: Slot): number => {
  if (isHolder({ ams, slot })) return m.traits.extruders === 2 && ams === LEFT_HOLDER ? 0xFE00 : 0xFF00
  return ams * 256 + (isHt(ams) ? 0 : slot)
}

const preparePct = ({ job }: Machine): number => Math.floor(job.prepareMs / PREPARE_MS * 100)

const common = (m: Machine): Json => ({
  gcode_state: m.job.state,
  mc_percent: percent(m),
  mc_remaining_time: minutes(m),
  layer_num: layer(m),
  total_layer_num: layers(m),
  gcode_file: m.job.file,
  gcode_file_prepare_percent: String(preparePct(m)),
  subtask_name: m.job.name,
  subtask_id: m.job.subtaskId,
  task_id: m.job.taskId,
  project_id: m.job.projectId,
  profile_id: m.job.profileId,
  print_type: printType(m),
  print_error: m.printError,
  hms: m.hms,
  s_obj: m.job.skipped,
  stg: m.job.stages.map(({ code }) => code),
  stg_cur: stage(m),
  mc_print_stage: isBusy(m) ? '2' : '1',
  spd_lvl: m.job.speed,
  spd_mag: SPEED_PCT[m.job.speed] ?? 100,
  ams_status: amsStatus(m),
  ams_rfid_status: m.ams.scan === undefined ? 0 : 1
})

const modern = (m: Machine): Json => ({
  state: STATE[m.job.state],
  percent: percent(m),
  remain_time: minutes(m),
  prepare_per: preparePct(m),
  file: m.job.file,
  job_id: '0',
  plate_idx: m.job.plate,
  mc_stage: isBusy(m) ? 2 : 1,
  stg_cd: 0,
  '3D': { layer_num: layer(m), total_layer_num: layers(m) },
  job: { cur_stage: { idx: m.job.stageAt, state: 0 }, stage: [], job_state: JOB_STATE[m.job.state] },
  mapping: m.job.mapping.map(slot => slot === undefined ? UNUSED : slotWord(m, slot))
})

/** A line number that grows with the job, as the small printers report it. */
const line = ({ job }: Machine): string => String(Math.floor(job.elapsedMs / 50))

export const jobFields = (m: Machine): Json => m.traits.modern
  ? { ...common(m), ...modern(m) }
  : { ...common(m), mc_print_line_number: line(m) }
