import type { Raw } from '../report.js'
import type { ProjectFile } from './memory.js'
import { int, numbers, part, text } from './read.js'
import type { DecodeContext, Section } from './section.js'
import { STAGES } from './stages.data.js'
import type { Job, TrayPlace } from './types.js'

/** Text of a stage; empty for none, `Stage [N]` for one that has no name. */
export const stageName = (id: number): string => STAGES[id] ?? `Stage [${id}]`

/** A job is under way, paused ones included. */
export const isActive = (gcodeState: string): boolean =>
  gcodeState === 'PREPARE' || gcodeState === 'RUNNING' || gcodeState === 'PAUSE' || gcodeState === 'SLICING'

export const gcodeStateOf = (raw: Raw): string => text(raw.gcode_state, 'IDLE').toUpperCase()

export const layersOf = (raw: Raw): number =>
  int(raw.total_layer_num, int(part(raw, '3D').total_layer_num))

export const job: Section<Job> = {
  fields: ['gcode_state', 'subtask_name', 'gcode_file', 'file', 'plate_idx', 'plate_id', 'stg_cur',
    'stg', 'layer_num', 'total_layer_num', '3D', 'mc_percent', 'percent', 'mc_remaining_time', 'remain_time',
    'gcode_file_prepare_percent', 'prepare_per', 'print_type', 'subtask_id', 'task_id', 'job_id', 'spd_lvl',
    'spd_mag', 's_obj', 'mapping'],
  memory: ['projectFile', 'jobClock', 'totalLayers'],
  read: readJob
}

function readJob (raw: Raw, { memory }: DecodeContext): Job {
  const gcodeFile = text(raw.gcode_file, text(raw.file))
  const stage = int(raw.stg_cur)
  return {
    gcodeState: gcodeStateOf(raw),
    subtaskName: text(raw.subtask_name),
    gcodeFile,
    plate: plateOf(gcodeFile, raw, memory.projectFile),
    stage: { id: stage, name: stageName(stage) },
    plannedStages: numbers(raw.stg),
    layer: int(raw.layer_num, int(part(raw, '3D').layer_num)),
    totalLayers: layersOf(raw) || memory.totalLayers,
    percent: int(raw.mc_percent, int(raw.percent)),
    remainingMinutes: int(raw.mc_remaining_time, int(raw.remain_time)),
    preparePercent: int(raw.gcode_file_prepare_percent, int(raw.prepare_per)),
    startedAt: memory.jobClock.startedAt,
    endedAt: memory.jobClock.endedAt,
    printType: text(raw.print_type),
    subtaskId: text(raw.subtask_id),
    taskId: text(raw.task_id),
    jobId: text(raw.job_id),
    speedLevel: int(raw.spd_lvl),
    speedPercent: int(raw.spd_mag),
    skippedObjects: numbers(raw.s_obj),
    mapping: numbers(raw.mapping).map(placeOfWord)
  }
}

/** From the file name, else what the start command said, else what the printer counts itself. */
function plateOf (gcodeFile: string, raw: Raw, projectFile: ProjectFile | undefined): number {
  const named = /plate_(\d+)\.gcode/.exec(gcodeFile) ??
    (projectFile?.subtaskName === text(raw.subtask_name) ? /plate_(\d+)\.gcode/.exec(projectFile.param) : null)
  const reported = int(raw.plate_idx, int(raw.plate_id))
  return named?.[1] !== undefined ? Number(named[1]) : reported > 0 ? reported : -1
}

/**
 * A packed place: unit in the high, slot in the low byte. 0xFF00 is the right or only holder, 0xFE00 the left.
 * @returns undefined for "none" (low byte 255)
 */
export function placeOfWord (word: number): TrayPlace | undefined {
  const slot = word & 0xFF
  const amsId = (word >>> 8) & 0xFF
  return slot === 0xFF ? undefined : { amsId, slot }
}

/** A finished or idle printer has no project; the command's fields as the printer repeated them. */
export const projectFileOf = (reply: Raw): ProjectFile => ({
  url: text(reply.url),
  param: text(reply.param),
  md5: text(reply.md5),
  bedType: text(reply.bed_type),
  subtaskName: text(reply.subtask_name)
})
