import { analyse, WIDTH, type Analysis, type AnalysisInput } from '../analysis/index.js'
import type { ExpectedPlate } from '../analysis/plate-mask/index.js'
import { EMPTY_STATE, type AnalysisState } from '../analysis/improved/analysis-state.js'
import { downscale } from '../analysis/improved/downscale.js'
import { inBytes, smooth } from '../analysis/improved/ridges.js'
import { shrunkInk, type Picture } from '../analysis/picture.js'
import { decodeImage } from '../pictures/images.js'
import type { Assets } from '../pictures/names.js'
import { renderAll, renderLive, type RenderInput } from '../pictures/render.js'
import type { JobContext, Profile } from '../types.js'

export interface AnalyseTask {
  readonly kind: 'analyse'
  readonly profile: Profile
  readonly jpeg: Uint8Array
  readonly referenceJpeg?: Uint8Array
  readonly context: JobContext
  readonly memory: AnalysisState
  /** ms since the epoch. */
  readonly now: number
  readonly expected?: ExpectedPlate
  /** Use the reference as baseline when there is none. */
  readonly alone?: boolean
}
export interface RenderTask extends RenderInput { readonly kind: 'render' | 'live' }
export type Task = AnalyseTask | RenderTask

export interface Results {
  readonly analyse: Analysis
  readonly render: Assets
  readonly live: Pick<Assets, 'annotated_png' | 'factors_radar_png' | 'health_panel_png'>
}
export type ResultOf<T extends Task> = Results[T['kind']]

/** Before the first analysis of a job, the reference serves as its baseline. */
function memoryOf (reference: Picture, at: number): AnalysisState {
  const grey = shrunkInk(reference, WIDTH)
  const smoothed = inBytes(grey, smooth(grey))
  return { ...EMPTY_STATE, baselines: [{ grey, smoothed, downscaled: downscale(grey), at }] }
}

/** Read only when it is used: it brings the toolpath's code with it. */
async function comparisonWith (expected: ExpectedPlate): Promise<AnalysisInput['compare']> {
  const { maskOf } = await import('../analysis/plate-mask/index.js')
  return about => maskOf({ ...about, expected })
}

async function analyseFrame ({
  profile, jpeg, referenceJpeg, context, memory, now, expected,
  alone
}: AnalyseTask): Promise<Analysis> {
  const picture = await decodeImage(jpeg)
  const reference = referenceJpeg === undefined
    ? undefined
    : referenceJpeg === jpeg ? picture : await decodeImage(referenceJpeg, picture)
  const known = reference && alone && memory.baselines.length === 0 ? memoryOf(reference, now) : memory
  const compare = expected && await comparisonWith(expected)
  return analyse({
    profile,
    picture,
    ...(reference && { reference }),
    context,
    memory: known,
    now,
    ...(compare && { compare })
  })
}

/** Runs a task. Independent of the thread it runs in. */
export async function perform<T extends Task> (task: T): Promise<ResultOf<T>> {
  const run = task as Task
  const result = run.kind === 'analyse'
    ? await analyseFrame(run)
    : run.kind === 'render' ? await renderAll(run) : await renderLive(run)
  return result as ResultOf<T>
}
