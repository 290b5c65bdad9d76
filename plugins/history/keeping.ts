import { Type, type Static } from 'typebox'
import { SharedSettings, type Database, type Origin } from '../database/index.js'
import { USUAL_BOUNDS } from './options.js'

const Stored = Type.Object({
  keepDays: Type.Integer({ minimum: 0 }),
  keepTelemetryDays: Type.Integer({ minimum: 0 }),
  keepTelemetryMiB: Type.Integer({ minimum: 0 })
})

/** How long records, and telemetry and pictures, are stored, and how much telemetry; 0 means no limit. */
export type Bounds = Readonly<Static<typeof Stored>>

const NAMES = ['keepDays', 'keepTelemetryDays', 'keepTelemetryMiB'] as const

export interface KeepingOptions {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly now: () => number
  /** A value other than the usual one is one that somebody has written. */
  readonly inFile: Bounds
}

/** How long prints are kept, as the configuration file or people on a page say. */
export class Keeping {
  readonly #settings: SharedSettings<typeof Stored>

  constructor ({ database, now, inFile }: KeepingOptions) {
    const written = NAMES.filter(name => inFile[name] !== USUAL_BOUNDS[name])
    const { keepDays, keepTelemetryDays, keepTelemetryMiB } = inFile
    this.#settings = new SharedSettings({
      database,
      table: 'history_settings',
      id: 'keeping',
      schema: Stored,
      now,
      inFile: written.length > 0 ? { keepDays, keepTelemetryDays, keepTelemetryMiB } : undefined,
      option: written.map(name => `plugins.history.${name}`).join(', ')
    })
  }

  get origin (): Origin { return this.#settings.origin }

  /** @throws the database's errors: nothing may be removed while it is not known what to keep */
  async read (): Promise<Bounds> { return await this.#settings.read() ?? USUAL_BOUNDS }

  /** @throws PRN_ERR_SET_IN_FILE */
  checkOpen (): void { this.#settings.checkOpen() }

  /** @throws PRN_ERR_SET_IN_FILE, the database's errors */
  async change (change: Partial<Bounds>, by: string): Promise<Bounds> {
    return await this.#settings.change(known => ({ ...USUAL_BOUNDS, ...known, ...change }), by)
  }
}
