import { Type, type Static } from 'typebox'
import { SharedLimits, type Database } from '../database/index.js'
import { USUAL_BOUNDS } from './options.js'

const Stored = Type.Object({
  keepDays: Type.Integer({ minimum: 0 }),
  keepTelemetryDays: Type.Integer({ minimum: 0 }),
  keepTelemetryMiB: Type.Integer({ minimum: 0 })
})

/** How long records, and telemetry and pictures, are stored, and how much telemetry; 0 means no limit. */
export type Bounds = Readonly<Static<typeof Stored>>

export interface KeepingOptions {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly now: () => number
  readonly inFile: Bounds
}

/** How long prints are kept, as the configuration file or people on a page say. */
export class Keeping extends SharedLimits<typeof Stored> {
  constructor (options: KeepingOptions) {
    super({
      ...options, table: 'history_settings', id: 'keeping', schema: Stored, usual: USUAL_BOUNDS, place: 'plugins.history'
    })
  }
}
