import { randomInt } from 'node:crypto'
import type { Command, ModelInfo } from '../../../core/index.js'
import type { WireMapping } from '../mapping/mqtt-mapping.js'

export const PLATE_TYPES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate'] as const
/** Callers may also choose none. */
export const BED_TYPES = [...PLATE_TYPES, 'none'] as const
export type PlateType = (typeof BED_TYPES)[number]

export interface PrintJob {
  readonly path: string
  readonly plateNumber: number
  readonly plateType: PlateType
  readonly wire: WireMapping
  readonly leveling: boolean
  readonly flow: boolean
  readonly timelapse: boolean
}

/** URL of the file in the form that the printer's family expects. */
const addressOf = (path: string, { printUrl }: ModelInfo): string =>
  `${printUrl === 'file_sdcard' ? 'file:///sdcard' : 'ftp://'}${path}`

export const jobName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.3mf$/i, '').replace(/\.gcode$/i, '')

export const LARGEST_TASK_ID = 2 ** 31 - 2

/** A unique id for each job: with zeros some printers mistake a new job for the previous one. */
const freshId = (): string => String(randomInt(1, LARGEST_TASK_ID))

/** Levelling as a number too, for printers with a third mode. */
const tristate = (wanted: boolean, { bedLevelingTristate }: ModelInfo) =>
  bedLevelingTristate ? { auto_bed_leveling: wanted ? 1 : 0 } : {}

/**
 * Command that starts a sliced plate on the card.
 * @wire print.project_file
 */
export function projectFile (job: PrintJob, model: ModelInfo, id = freshId()): Command {
  return {
    section: 'print',
    command: 'project_file',
    param: `Metadata/plate_${job.plateNumber}.gcode`,
    file: job.path,
    url: addressOf(job.path, model),
    md5: '',
    project_id: id,
    profile_id: '0',
    task_id: id,
    subtask_id: id,
    subtask_name: jobName(job.path),
    bed_type: job.plateType,
    bed_leveling: job.leveling,
    ...tristate(job.leveling, model),
    flow_cali: job.flow,
    vibration_cali: model.series !== 'P2',
    layer_inspect: model.lidar,
    timelapse: job.timelapse,
    ...job.wire
  }
}
