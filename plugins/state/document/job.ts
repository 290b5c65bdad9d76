import { elapsedMinutes, isStartOf, type PrinterSession, type ProjectFile } from '../../../core/index.js'
import type { JobProject } from '../../projects/index.js'

const PLATE_TYPES = new Set(['AUTO', 'COOL_PLATE', 'ENG_PLATE', 'HOT_PLATE', 'TEXTURED_PLATE', 'SUPERTACK_PLATE'])

/** What the command that started the job said, empty when it was not heard. */
const startEntry = ({ url, param, md5, bedType, subtaskName }: ProjectFile) =>
  ({ url, param, md5, bed_type: bedType, subtask_name: subtaskName })

/** The job record; all fields are empty or zero before the first report. */
export function jobRecord ({ state, context: memory }: PrinterSession, project: JobProject) {
  const start = state && isStartOf(memory.projectFile, state.job) ? memory.projectFile : undefined
  const plateType = start?.bedType.toUpperCase() ?? ''
  return {
    subtask_name: state?.job.subtaskName ?? '',
    gcode_file: state?.job.gcodeFile ?? '',
    plate_num: state?.job.plate ?? -1,
    plate_type: PLATE_TYPES.has(plateType) ? plateType : 'NONE',
    cancelled: state?.job.cancelled ?? false,
    stage_id: state?.job.stage.id ?? 0,
    stage_name: state?.job.stage.name ?? '',
    current_layer: state?.job.layer ?? 0,
    total_layers: state?.job.totalLayers ?? 0,
    print_percentage: state?.job.percent ?? 0,
    elapsed_minutes: state ? elapsedMinutes(state) : 0,
    remaining_minutes: state?.job.remainingMinutes ?? 0,
    wall_start_time: state?.job.startedAt === undefined ? -1 : state.job.startedAt / 1000,
    print_type: state?.job.printType ?? '',
    project_file_command: start ? startEntry(start) : {},
    project_info_fetch_attempted: project.fetched,
    project_info: project.info
  }
}
