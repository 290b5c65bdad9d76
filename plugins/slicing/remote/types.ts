import { Type, type Static } from 'typebox'
import { StoredPresets } from '../imported/imported-profiles.js'
import type { SettingsKind } from '../types.js'

// What a service and a slicer elsewhere say to each other. `GET /` answers with one line, `Offer`. `POST /slice/NAME`
// has one line, `RemoteJob`, and then the models, byte after byte. Its answer has lines of `Step`; that of a plate is
// followed by its bytes.

/** The programs that may be elsewhere. */
export const REMOTE_SLICERS = {
  'prusa-slicer': { title: 'PrusaSlicer', takes: 'configuration' },
  'orca-slicer': { title: 'OrcaSlicer', takes: 'presets' },
  'bambu-studio': { title: 'Bambu Studio', takes: 'presets' }
} as const satisfies Readonly<Record<string, { title: string, takes: SettingsKind }>>
export type RemoteSlicerName = keyof typeof REMOTE_SLICERS

/** What is at an address. */
export const Offer = Type.Object({
  slicers: Type.Array(Type.Object({ name: Type.String(), version: Type.String({ maxLength: 100 }) }), { maxItems: 20 })
})

const MOST_INSTANCES = 500
/** Of one model, where it lies on the bed. */
const MOST_MODEL_BYTES = 1024 ** 3

export const RemoteJob = Type.Object({
  settings: Type.String(),
  presets: Type.Optional(StoredPresets),
  /** As in the table of models. */
  printer: Type.String(),
  nozzleMm: Type.Number({ minimum: 0.1, maximum: 3 }),
  models: Type.Array(Type.Object({
    id: Type.Integer({ minimum: 1 }),
    name: Type.String({ maxLength: 300 }),
    box: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
    heightMm: Type.Number(),
    triangles: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 1, maximum: MOST_MODEL_BYTES })
  }), { minItems: 1, maxItems: MOST_INSTANCES })
})
export type RemoteJob = Static<typeof RemoteJob>

/** How far it is; or the plate, whose bytes follow; or why there is none. */
export const Step = Type.Union([
  Type.Object({ percent: Type.Number({ minimum: 0, maximum: 100 }), step: Type.String({ maxLength: 200 }) }),
  Type.Object({ plate: Type.Enum(['gcode', 'archive']), bytes: Type.Integer({ minimum: 1 }) }),
  Type.Object({ error: Type.String({ maxLength: 2_000 }) })
])
export type Step = Static<typeof Step>

/** Characters of a line with a job, whose settings are most of it. */
export const LONGEST_JOB = 8 * 1024 ** 2
/** Characters of any other line. */
export const LONGEST_STEP = 4_096
