import { isActive, type Job, type ModelInfo, type PrinterState } from '../../../core/index.js'

/** A calibration step, identified by its job stages. */
export interface Step {
  readonly name: string
  readonly stages: readonly number[]
  /** Limits the step to printers that support it. */
  readonly fits?: (model: ModelInfo, state: PrinterState) => boolean
}

const isDual = (_model: ModelInfo, { extruders }: PrinterState) => extruders.length > 1
const hasLidar = ({ lidar }: ModelInfo) => lidar
const inspects = ({ lidar }: ModelInfo, { detectors }: PrinterState) => lidar || detectors.firstLayer.supported

/** In the order in which a job performs them. Stage codes are those of status reports. */
export const STEPS: readonly Step[] = [
  { name: 'Bed levelling', stages: [1, 40, 47, 48] },
  { name: 'Vibration', stages: [3] },
  { name: 'Flow', stages: [8, 19] },
  { name: 'Build plate', stages: [11, 44, 73] },
  { name: 'First layer', stages: [10], fits: inspects },
  { name: 'Lidar', stages: [9, 12, 18], fits: hasLidar },
  { name: 'Nozzle offset', stages: [39], fits: isDual },
  { name: 'Motor noise', stages: [25] },
  { name: 'Camera', stages: [45, 46, 53] }
]

export type Progress = 'running' | 'done' | 'planned' | 'none' | 'unknown'

const lastIndex = (planned: readonly number[], stages: readonly number[]) =>
  planned.reduce((last, stage, at) => stages.includes(stage) ? at : last, -1)

/**
 * Progress of a step in the current or last job. Once layers are printed, all steps count as done, whatever stage is
 * reported then.
 */
export function progressOf ({ stages }: Step, job: Job): Progress {
  const { plannedStages: planned, stage, layer, gcodeState, cancelled } = job
  const busy = isActive(gcodeState)
  if (busy && stages.includes(stage.id)) return 'running'
  if (planned.length === 0) return 'unknown'
  const place = lastIndex(planned, stages)
  if (place < 0) return 'none'
  if ((gcodeState === 'FINISH' && !cancelled) || (busy && layer > 0)) return 'done'
  const current = busy ? planned.indexOf(stage.id) : -1
  return current > place ? 'done' : 'planned'
}
