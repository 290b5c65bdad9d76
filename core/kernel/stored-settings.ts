import { join } from 'node:path'
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { BadInput } from '../errors.js'
import { openJsonStore, type JsonStore } from '../util/json-store.js'
import { LANGUAGES, type Language } from '../util/preferences.js'
import { unknownName, validationError } from '../util/validate.js'
import type { AccessLevel } from './access-level.js'

/** The settings of a plugin that users change while the service runs. */
export interface SettingsSpec<S extends TObject = TObject> {
  /**
   * A member for each setting: a boolean, number, integer, string, or enum of strings, with a default. Its `title` is
   * the label on the settings page.
   */
  readonly schema: S
  /** Who may see and change them. @default 'trusted' */
  readonly access?: AccessLevel
  /** Labels in other languages, by the setting's name. One that is missing is shown in English. */
  readonly labels?: { readonly [K in Language]?: Readonly<Record<string, string>> }
}

export interface StoredSettings<T = object> {
  /** The current values. Read them whenever they are used: `contributes` runs before they are loaded. */
  get (): Readonly<T>
  /** Changes some of them and stores them. @throws PRN_ERR_BAD_INPUT */
  change (changes: Readonly<Partial<T>>): Promise<Readonly<T>>
}

/** Settings as the kernel manages them. */
export interface ManagedSettings extends StoredSettings {
  /** Undefined for a plugin without settings. */
  readonly spec: SettingsSpec | undefined
  /** Loads the stored values. One that no longer fits the schema is replaced by its default. */
  open (folder: string, warn: (message: string) => void): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

const File = Type.Record(Type.String(), Type.Unknown())
type Values = Readonly<Record<string, unknown>>
type Store = JsonStore<Static<typeof File>>

/** Typed so that it must list all members. */
const MEMBERS = { schema: true, access: true, labels: true } satisfies Record<keyof SettingsSpec, true>
const LEVELS: readonly unknown[] = ['network', 'trusted'] satisfies AccessLevel[]
const NAME = /^[a-z]\w{0,39}$/i
const TYPES: readonly unknown[] = ['boolean', 'number', 'integer', 'string']

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly secret?: boolean
}
const propertiesOf = ({ properties }: TObject) => properties as Readonly<Record<string, Property>>

const defaultsOf = (schema: TObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, property]) => [name, property.default]))

const strictOf = (schema: TObject): TObject => ({ ...schema, additionalProperties: false }) as unknown as TObject

function propertyProblem (name: string, property: Property): string | undefined {
  if (!NAME.test(name)) return 'its name must be a letter followed by letters, digits and underscores, 40 at most'
  if (property.secret === true) return 'secrets belong in the options, because settings are shown on a page'
  if (property.default === undefined) return 'it needs a default'
  const isShown = property.enum === undefined
    ? TYPES.includes(property.type)
    : property.enum.every(value => typeof value === 'string')
  return isShown ? undefined : 'it must be a boolean, number, integer, string, or enum of strings'
}

/** Why declared settings cannot be used. */
export function settingsProblem (spec: unknown): string | undefined {
  const { schema, access = 'trusted', labels = {} } = (spec ?? {}) as Partial<SettingsSpec>
  if (typeof schema?.properties !== 'object') return 'settings: the schema must be an object'
  const misspelt = unknownName('member', Object.keys(spec as object), Object.keys(MEMBERS))
  if (misspelt !== undefined) return `settings: ${misspelt}`
  if (!LEVELS.includes(access)) return `settings: access must be one of ${LEVELS.join(', ')}`
  const names = Object.keys(propertiesOf(schema))
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const problem = propertyProblem(name, property)
    if (problem !== undefined) return `setting '${name}': ${problem}`
  }
  const stray = unknownName('language', Object.keys(labels), LANGUAGES) ??
    unknownName('setting', Object.values(labels).flatMap(words => Object.keys(words)), names)
  if (stray !== undefined) return `labels of settings: ${stray}`
  const unfit = defaultsProblem(schema)
  return unfit === undefined ? undefined : `the defaults of the settings are invalid: ${unfit}`
}

/** A schema that cannot be compiled is reported as well. */
function defaultsProblem (schema: TObject): string | undefined {
  try {
    return validationError(strictOf(schema), defaultsOf(schema))
  } catch (error) {
    return (error as Error).message
  }
}

/** @param spec undefined for a plugin without settings */
export function createStoredSettings (plugin: string, spec: SettingsSpec | undefined): ManagedSettings {
  const schema = spec === undefined ? undefined : strictOf(spec.schema)
  let store: Store | undefined
  let values: Values | undefined

  function opened (): { store: Store, schema: TObject, values: Values } {
    if (schema === undefined) throw new Error(`plugin '${plugin}' declares no settings`)
    if (store === undefined || values === undefined) {
      throw new Error(`the settings of plugin '${plugin}' are not loaded yet: read them in operations, rules and setup, ` +
        "not in 'contributes' itself")
    }
    return { store, schema, values }
  }

  return {
    spec,
    async open (folder, warn) {
      if (schema === undefined) return
      store = await openJsonStore(join(folder, 'settings.json'), { schema: File, initial: {}, warn })
      const stored = store.get()
      const usable = Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
        if (!Object.hasOwn(stored, name)) return []
        const problem = validationError(property as TSchema, stored[name])
        if (problem === undefined) return [[name, stored[name]] as const]
        warn(`${store?.path}: '${name}' is no longer valid (${problem.trim()}); its default is used`)
        return []
      })
      values = Object.freeze({ ...defaultsOf(schema), ...Object.fromEntries(usable) })
    },
    get: () => opened().values,
    async change (changes) {
      const { store, schema, values: before } = opened()
      const next: Record<string, unknown> = { ...before, ...changes }
      const problem = validationError(schema, next)
      if (problem !== undefined) throw new BadInput(problem)
      values = Object.freeze(next)
      await store.set({ ...store.get(), ...changes })
      return opened().values
    },
    settled: async () => { await store?.settled() }
  }
}
