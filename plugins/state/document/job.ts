import type { PrinterSession, PrinterState } from '../../../core/index.js'

const MS_PER_MINUTE = 60_000

/** Whole minutes since the job began, up to its end or the last report. */
export function elapsedMinutes ({ job, receivedAt }: PrinterState): number {
  if (job.startedAt === undefined) return 0
  return Math.max(0, Math.floor(((job.endedAt ?? receivedAt) - job.startedAt) / MS_PER_MINUTE))
}

const PLATE_TYPES = new Set(['AUTO', 'COOL_PLATE', 'ENG_PLATE', 'HOT_PLATE', 'TEXTURED_PLATE', 'SUPERTACK_PLATE'])

/** What the files feature knows of the project of a job. */
export interface JobProject {
  readonly info: unknown
  readonly fetched: boolean
}

/** The job record; all fields are empty or zero before the first report. */
export function jobRecord ({ state, memory }: PrinterSession, project: JobProject = { info: null, fetched: false }) {
  const { projectFile } = memory
  const plateType = projectFile?.bedType.toUpperCase() ?? ''
  return {
    subtask_name: state?.job.subtaskName ?? '',
    gcode_file: state?.job.gcodeFile ?? '',
    plate_num: state?.job.plate ?? -1,
    plate_type: PLATE_TYPES.has(plateType) ? plateType : 'NONE',
    stage_id: state?.job.stage.id ?? 0,
    stage_name: state?.job.stage.name ?? '',
    current_layer: state?.job.layer ?? 0,
    total_layers: state?.job.totalLayers ?? 0,
    print_percentage: state?.job.percent ?? 0,
    elapsed_minutes: state ? elapsedMinutes(state) : 0,
    remaining_minutes: state?.job.remainingMinutes ?? 0,
    wall_start_time: state?.job.startedAt === undefined ? -1 : state.job.startedAt / 1000,
    print_type: state?.job.printType ?? '',
    project_file_command: projectFile
      ? {
          url: projectFile.url,
          param: projectFile.param,
          md5: projectFile.md5,
          bed_type: projectFile.bedType,
          subtask_name: projectFile.subtaskName
        }
      : {},
    project_info_fetch_attempted: project.fetched,
    project_info: project.info
  }
}
