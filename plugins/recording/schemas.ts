import { Type, type Static } from 'typebox'

export const KINDS = ['evidence', 'manual', 'timelapse'] as const
export const STATUSES = ['recording', 'encoding', 'ready', 'failed'] as const

/** The alert that a recording belongs to; the id is derived from the alert. */
export const AlertMark = Type.Object({
  id: Type.String({ description: 'Type and time of the alert: `job_failed-20260101T120000Z`' }),
  type: Type.String({ description: 'Such as job_failed, or job_cancelled where a person ended the job' }),
  timestamp: Type.String({ description: 'ISO 8601, UTC' })
})
export type AlertMark = Static<typeof AlertMark>

export const RecordingSchema = Type.Object({
  id: Type.String({ description: '18 hexadecimal digits' }),
  printer: Type.String({ description: 'Name of the printer' }),
  kind: Type.Enum(KINDS),
  status: Type.Enum(STATUSES, { description: 'Only a ready one has a file' }),
  started_at: Type.String({ description: 'ISO 8601, UTC: the first picture' }),
  duration_s: Type.Number({ description: 'As played' }),
  bytes: Type.Integer({ description: 'Of the file; of a failed timelapse, of the pictures that are kept of it' }),
  job: Type.Object({
    name: Type.String({ description: 'Empty without a job' }),
    task_id: Type.String({ description: 'As the printer reports it; empty or 0 for local jobs' })
  }),
  alerts: Type.Array(AlertMark, { description: 'Of evidence: what it was recorded for' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why a failed one has no file' })
}, { 'x-name': 'Recording' })
/** A recording, pending or finished, as in the API and in the JSON file beside the video. */
export type Recording = Static<typeof RecordingSchema>

export const RecordingId = Type.String({ pattern: '^[0-9a-f]{18}$', description: 'As listed' })

export const TIMELAPSES = ['off', 'layer', 'interval'] as const

export const SettingsSchema = Type.Object({
  evidence: Type.Boolean({ description: 'Moments around failures, grave errors, health alerts' }),
  timelapse: Type.Enum(TIMELAPSES, { description: 'One picture a layer, or every interval_s' }),
  interval_s: Type.Integer({ minimum: 2, maximum: 3600, description: 'Of timelapse: interval' }),
  keep_connected: Type.Boolean({ description: 'Camera, during jobs: evidence is complete' })
}, { 'x-name': 'RecordingSettings' })
/** What is recorded automatically for a printer. */
export type Settings = Static<typeof SettingsSchema>
