import type { Static, TInteger, TObject } from 'typebox'
import { SharedSettings, type SharedSettingsOptions } from './shared-settings.js'

/** Whole numbers by the names of their options. */
export type LimitsSchema = TObject<Record<string, TInteger>>

type Shared<S extends LimitsSchema> = Omit<SharedSettingsOptions<S>, 'inFile' | 'option'>

export interface SharedLimitsOptions<S extends LimitsSchema> extends Shared<S> {
  /** Those that count while nobody has chosen. */
  readonly usual: Static<S>
  /** The options of the plugin: a value other than the usual one is one that somebody has written. */
  readonly inFile: Static<S>
  /** Where they are in the file: `plugins.history`. */
  readonly place: string
}

const among = <S extends LimitsSchema>(schema: S, values: Static<S>): Static<S> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in schema.properties)) as Static<S>

/** Limits that people choose on a page, such as how long something is kept, or that the configuration file states. */
export class SharedLimits<S extends LimitsSchema> extends SharedSettings<S> {
  readonly #usual: Static<S>

  constructor ({ usual, inFile, place, ...options }: SharedLimitsOptions<S>) {
    const written = Object.keys(options.schema.properties)
      .filter(name => inFile[name as keyof typeof inFile] !== usual[name as keyof typeof usual])
    super({
      ...options,
      inFile: written.length > 0 ? among(options.schema, inFile) : undefined,
      option: written.map(name => `${place}.${name}`).join(', ')
    })
    this.#usual = usual
  }

  /** @throws the database's errors: nothing may be removed while it is not known what to keep */
  override async read (): Promise<Static<S>> { return await super.read() ?? this.#usual }

  /** @throws PRN_ERR_SET_IN_FILE, the database's errors */
  async set (change: Partial<Static<S>>, by: string): Promise<Static<S>> {
    return await this.change(known => ({ ...this.#usual, ...known, ...change }), by)
  }
}
