import type { ProjectFile } from './context.js'
import { int, list, numbers, part, text, type Raw } from './raw.js'
import { placeOfTray } from './spools.js'
import type { DecodeInput, Section } from './section.js'
import { STAGES } from './stages.data.js'
import type { Job, PrinterState, TrayPlace } from './types.js'

/** Text of a stage; empty for none, `Stage [N]` for an unnamed one. */
export const stageName = (id: number): string => STAGES[id] ?? `Stage [${id}]`

/** A job is in progress, including paused ones. */
export const isActive = (gcodeState: string): boolean =>
  gcodeState === 'PREPARE' || gcodeState === 'RUNNING' || gcodeState === 'PAUSE' || gcodeState === 'SLICING'

/** The states that printers report for a cancelled job. */
const CANCELLED_AS: ReadonlySet<string> = new Set(['FAILED', 'IDLE', 'FINISH'])

const MS_PER_MINUTE = 60_000

/** Whole minutes since the job started, up to its end or the last report; 0 if no start was seen. */
export function elapsedMinutes ({ job, receivedAt }: Pick<PrinterState, 'job' | 'receivedAt'>): number {
  if (job.startedAt === undefined) return 0
  return Math.max(0, Math.floor(((job.endedAt ?? receivedAt) - job.startedAt) / MS_PER_MINUTE))
}

export const gcodeStateOf = (raw: Raw): string => text(raw.gcode_state, 'IDLE').toUpperCase()

/** More than any print has. */
const MOST_LAYERS = 100_000

/** Printers send -1 before they count, and corrupt reports any number: undefined for an invalid count. */
function layerCount (value: unknown): number | undefined {
  const count = int(value, -1)
  return count >= 0 && count <= MOST_LAYERS ? count : undefined
}

/** 0 while it is unknown. */
export const layerOf = (raw: Raw): number =>
  layerCount(raw.layer_num) ?? layerCount(part(raw, '3D').layer_num) ?? 0

export const percentOf = (raw: Raw): number => int(raw.mc_percent, int(raw.percent))

export const layersOf = (raw: Raw): number =>
  layerCount(raw.total_layer_num) ?? layerCount(part(raw, '3D').total_layer_num) ?? 0

export const job: Section<Job> = {
  fields: ['gcode_state', 'subtask_name', 'gcode_file', 'file', 'plate_idx', 'plate_id', 'stg_cur',
    'stg', 'layer_num', 'total_layer_num', '3D', 'mc_percent', 'percent', 'mc_remaining_time', 'remain_time',
    'gcode_file_prepare_percent', 'prepare_per', 'print_type', 'subtask_id', 'task_id', 'job_id', 'spd_lvl',
    'spd_mag', 's_obj', 'mapping'],
  context: ['projectFile', 'jobClock', 'totalLayers', 'stopped', 'reached'],
  read: readJob
}

/** Reported after every job, which is only complete if it did not fail. */
const STAGE_ENDED = 255

const NO_PROGRESS = { percent: 0, layer: 0 }

function readJob (raw: Raw, { context }: DecodeInput): Job {
  const gcodeFile = text(raw.gcode_file, text(raw.file))
  const gcodeState = gcodeStateOf(raw)
  const stage = int(raw.stg_cur)
  const hasFailed = gcodeState === 'FAILED'
  const cancelled = context.stopped && CANCELLED_AS.has(gcodeState)
  /** Percent and layers may jump to the end although the job did not get there. */
  const isCut = cancelled && gcodeState === 'FINISH'
  const { percent, layer } = hasFailed || cancelled ? context.reached : NO_PROGRESS
  return {
    gcodeState,
    cancelled,
    subtaskName: text(raw.subtask_name),
    gcodeFile,
    plate: plateOf(gcodeFile, raw, context.projectFile),
    stage: { id: stage, name: hasFailed && stage === STAGE_ENDED ? '' : stageName(stage) },
    plannedStages: numbers(raw.stg),
    layer: isCut ? layer : Math.max(layerOf(raw), layer),
    totalLayers: layersOf(raw) || context.totalLayers,
    percent: isCut ? percent : Math.max(percentOf(raw), percent),
    remainingMinutes: int(raw.mc_remaining_time, int(raw.remain_time)),
    preparePercent: int(raw.gcode_file_prepare_percent, int(raw.prepare_per)),
    startedAt: context.jobClock.startedAt,
    endedAt: context.jobClock.endedAt,
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

/** From the file name, else from the start command, else as the printer counts. */
function plateOf (gcodeFile: string, raw: Raw, projectFile: ProjectFile | undefined): number {
  const job = { taskId: text(raw.task_id), subtaskName: text(raw.subtask_name) }
  const named = /plate_(\d+)\.gcode/.exec(gcodeFile) ??
    (isStartOf(projectFile, job) ? /plate_(\d+)\.gcode/.exec(projectFile.param) : null)
  const reported = int(raw.plate_idx, int(raw.plate_id))
  return named?.[1] !== undefined ? Number(named[1]) : reported > 0 ? reported : -1
}

/** Not allowed in file names on a card; printers replace them. */
const FORBIDDEN = /[<>[\]:/\\|?*"\p{Cc}]/gu

/** A normalised job name, for comparison. */
export const jobNameKey = (name: string): string => name.normalize('NFC').replaceAll(FORBIDDEN, '_').trim()

type Named = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'>
const idOf = ({ taskId, subtaskId }: Named): string => [taskId, subtaskId].find(id => id && id !== '0') ?? ''
const differ = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b

/** By its ids or its name; what one of them does not have says nothing. */
export const isOtherJob = (job: Named, before: Named): boolean => differ(idOf(job), idOf(before)) ||
  differ(jobNameKey(job.subtaskName), jobNameKey(before.subtaskName))

/** Reports are never so far apart, ms; a whole job may be. */
const GAP_MS = 120_000

/** Whether so much time between two reports is a gap, in which a job can begin unseen. */
export const isGap = (elapsedMs: number): boolean => elapsedMs >= GAP_MS

/**
 * Whether another job began in a gap between two reports, in which nothing was seen of its start. Within a shorter
 * time, new names belong to a job that begins.
 * @param elapsedMs between the two, by a clock that nobody sets
 */
export const isJobOfGap = (job: Named, before: Named, elapsedMs: number): boolean =>
  isGap(elapsedMs) && isOtherJob(job, before)

/** Some printers report larger ids as this one. */
const LARGEST_ID = 2 ** 31 - 1
const isId = (id: string): boolean => id !== '' && id !== '0'
const isWhole = (id: string): boolean => isId(id) && !(Number(id) >= LARGEST_ID)

/**
 * Whether a start command belongs to this job: by task id, or without one by name. Printers replace characters that are
 * not allowed in file names.
 */
export function isStartOf<Start extends Pick<ProjectFile, 'taskId' | 'subtaskName'>> (start: Start | undefined,
  job: Pick<Job, 'taskId' | 'subtaskName'>): start is Start {
  if (start === undefined) return false
  if (isId(start.taskId) && start.taskId === job.taskId) return true
  if (isWhole(start.taskId) && isWhole(job.taskId)) return false
  return job.subtaskName !== '' && jobNameKey(start.subtaskName) === jobNameKey(job.subtaskName)
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

/** URLs on the printer itself, where a question mark is part of the name. */
const OWN_ADDRESS = /^(?:file|ftp|brtc):/i

/** URLs of cloud jobs are signed: with their query or login, anyone can download the file. */
const unsigned = (url: string): string =>
  OWN_ADDRESS.test(url) ? url : url.replace(/[?#].*$/s, '').replace(/(:\/\/)[^/@]*@/, '$1')

const MOST_FILAMENTS = 64

const placeOfPair = ({ ams_id: unit, slot_id: slot }: Raw): TrayPlace | undefined => {
  const place = { amsId: int(unit, NOWHERE), slot: int(slot, NOWHERE) }
  return place.slot === NOWHERE ? undefined : place
}
const NOWHERE = 255

/** The pairs include holders and built-in units, which the flat list cannot. */
function placesOf ({ ams_mapping: flat, ams_mapping2: pairs }: Raw): readonly (TrayPlace | undefined)[] {
  const places = Array.isArray(pairs) ? list(pairs).map(placeOfPair) : numbers(flat).map(id => placeOfTray(id))
  return places.slice(0, MOST_FILAMENTS)
}

const saysPlaces = ({ ams_mapping: flat, ams_mapping2: pairs, use_ams: useAms }: Raw): boolean =>
  flat !== undefined || pairs !== undefined || useAms !== undefined

/**
 * The start command's fields as the printer repeated them.
 * @param own the command if it was ours: firmware may omit the mapping in its answer
 */
export function projectFileOf (reply: Raw, own: Raw | undefined, acceptedAt: number): ProjectFile {
  const spoken = saysPlaces(reply) ? reply : own ?? {}
  return { ...startOf(reply), places: placesOf(spoken), useAms: switchOf(spoken.use_ams), acceptedAt }
}

const switchOf = (value: unknown): boolean | undefined => typeof value === 'boolean' ? value : undefined

const startOf = (reply: Raw) => ({
  url: unsigned(text(reply.url)),
  param: text(reply.param),
  md5: text(reply.md5),
  bedType: text(reply.bed_type),
  subtaskName: text(reply.subtask_name),
  taskId: text(reply.task_id)
})
