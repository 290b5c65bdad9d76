import { Type } from 'typebox'
import { CATEGORIES, type Category } from './pictures/names.js'
import { QUALITIES, REASONS, VISIBILITIES, VERDICTS, WORDS } from './types.js'

export const Quality = Type.Enum(['auto', ...QUALITIES], {
  default: 'auto', description: 'preview 320x180, standard 640x360, full; auto by verdict'
})
export const CategoryName = Type.Enum(Object.keys(CATEGORIES) as Category[])

export const VerdictName = Type.Enum(VERDICTS)
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const MaybeShare = (description: string) => Type.Union([Share(description), Type.Null()])
/** The overall status. */
export const StatusBody = Type.Object({
  word: Type.Enum(WORDS, { description: 'What is shown: standby while nothing can be judged' }),
  reason: Type.Union([Type.Enum(REASONS), Type.Null()], { description: 'Why standby, or paused' }),
  sight: Type.Enum(VISIBILITIES, { description: 'What the camera shows of the print' }),
  health: MaybeShare('For a gauge; consistent with the word, null in standby'),
  summary: Type.String({ description: 'One or two sentences' })
}, { 'x-name': 'JobStatus' })
const Job = {
  layer: Type.Integer(),
  total_layers: Type.Integer(),
  progress_pct: Type.Number({ description: 'Percent' }),
  timestamp: Type.String({ description: 'ISO 8601, UTC' })
}

/** Without the pictures, which follow as data URIs. */
const Report = Type.Object({
  verdict: VerdictName,
  counts: Type.Boolean({ description: 'False: the print cannot be judged now, see `status`; ignore the verdict' }),
  stable_verdict: VerdictName,
  success_probability: Share('Chance that the print succeeds'),
  decision_confidence: MaybeShare('Confidence in the result'),
  factor_contributions: Type.Record(Type.String(), Share('1 is the most risk')),
  anomaly_score: Share('The verdict is derived from it'),
  hot_pct: Share('Bright part of the upper frame'),
  strand_score: Share('Strands at the worst place'),
  diff_score: MaybeShare('Change against the reference'),
  reference_age_s: Type.Union([Type.Number(), Type.Null()]),
  quality: Type.Enum(QUALITIES),
  status: StatusBody,
  ...Job
})

/** Response of `GET /api/analyze_active_job`. */
export const PictureReport = Type.Object({
  ...Report.properties,
  ...Object.fromEntries(Object.values(CATEGORIES).flat().map(name => [name, Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Data URI, of a wanted category; null where there is none' }))]))
}, { 'x-name': 'JobReport' })

export const Opened = Type.Object({
  opened: Type.Boolean({ description: 'false: no viewer could be started on the host' }),
  composite_path: Type.String(),
  paths: Type.Record(Type.String(), Type.String()),
  verdict: VerdictName,
  stable_verdict: VerdictName,
  score: Share('Anomaly score'),
  ...Job
})
