import type { RenderInput } from '../pictures/render.js'
import type { DetectedBox, Frame, PlateReference } from '../types.js'
import type { AnalysisWorker } from '../worker/analysis-worker.js'
import { tierOf, type Found } from './result.js'
import type { LivePictures, Pictures } from './track.js'

/** The inputs of an analysis that its pictures show. */
export interface RenderSources {
  readonly frame: Frame
  readonly referenceJpeg: Buffer
  readonly project: PlateReference
  readonly boxes: readonly DetectedBox[]
}

export const renderInputOf = (profile: RenderInput['view']['profile'], found: Found,
  sources: RenderSources): RenderInput => {
  const { context, analysis, judgement, referenceAgeS } = found
  const { frame, referenceJpeg, project: { thumbnail, layout }, boxes } = sources
  return {
    view: {
      profile,
      quality: tierOf(judgement.verdict),
      context,
      analysis: { ...analysis, anomaly: judgement.anomaly },
      status: judgement.status,
      boxes,
      success: judgement.odds.success,
      confidence: judgement.confidence,
      factors: judgement.odds.factors,
      referenceAgeS: analysis.diff === null ? null : referenceAgeS
    },
    jpeg: frame.jpeg,
    referenceJpeg,
    ...(thumbnail && { thumbnail }),
    ...(layout && { layout })
  }
}

async function drawLive (analyst: AnalysisWorker, source: RenderInput): Promise<LivePictures> {
  const made = await analyst.run({ kind: 'live', ...source, view: { ...source.view, quality: 'standard' } })
  return {
    annotated: made.annotated_png ?? undefined,
    factors_radar: made.factors_radar_png ?? undefined,
    health_panel: made.health_panel_png ?? undefined
  }
}

/** Pictures that are drawn on the first request; after a failure the next request draws them again. */
export function picturesOf (analyst: AnalysisWorker, source: RenderInput): Pictures {
  let live: Promise<LivePictures> | undefined
  return {
    source,
    live () {
      live ??= drawLive(analyst, source)
      live.catch(() => { live = undefined })
      return live
    }
  }
}
