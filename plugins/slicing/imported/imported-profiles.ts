import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { BadInput, openJsonStore, type JsonStore } from '../../../core/index.js'
import { NoImportedProfile } from '../errors.js'
import { presetFacts } from './preset-facts.js'
import type { PresetFile } from './preset-file.js'
import { factsOf, type ProfileFacts } from './profile-facts.js'
import { readConfiguration, type PresetNames, type Settings } from './read-configuration.js'
import { readPresets, type Presets } from './read-presets.js'
import { safePresets } from './safe-presets.js'
import { safeSettings } from './safe-settings.js'

const StoredPreset = Type.Object({
  name: Type.String(),
  settings: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))
})
/** A printer, a process and a filament, with all that they inherit. */
export const StoredPresets = Type.Object({ machine: StoredPreset, process: StoredPreset, filament: StoredPreset })
const Stored = Type.Object({
  id: Type.String(),
  name: Type.String(),
  addedAt: Type.Integer(),
  addedBy: Type.String(),
  changed: Type.Array(Type.String()),
  /** Of PrusaSlicer; empty where there are presets. */
  settings: Type.Record(Type.String(), Type.String()),
  /** Of OrcaSlicer or Bambu Studio. */
  presets: Type.Optional(StoredPresets)
})
const Document = Type.Object({ profiles: Type.Array(Stored) })

/** A profile of somebody's own slicer, with the start code of whoever made it. */
export interface ImportedProfile extends Omit<Readonly<Static<typeof Stored>>, 'presets'> {
  readonly presets?: Presets
  readonly facts: ProfileFacts
}

interface Content {
  readonly settings: Settings
  readonly presets?: Presets
  readonly changed: readonly string[]
}

const profileOf = (stored: Static<typeof Stored>): ImportedProfile =>
  ({ ...stored, facts: stored.presets ? presetFacts(stored.presets) : factsOf(stored.settings) })

const MOST = 100
const ID_LENGTH = 16
const LONGEST_NAME = 80

/** The same settings have the same, in whichever order a file has them. */
function checksumOf (content: Presets | Settings): string {
  const sorted = Object.entries(content).map(([key, value]) => [key, typeof value === 'string'
    ? value
    : [value.name, Object.entries(value.settings).sort()]]).sort()
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, ID_LENGTH)
}

/** Profiles that people brought, each once under the checksum of its settings. */
export class ImportedProfiles {
  readonly #document: JsonStore<Static<typeof Document>>
  readonly #now: () => number

  private constructor (document: JsonStore<Static<typeof Document>>, now: () => number) {
    this.#document = document
    this.#now = now
  }

  static async open (folder: string, now: () => number, warn: (message: string) => void): Promise<ImportedProfiles> {
    const path = join(folder, 'imported-profiles.json')
    return new ImportedProfiles(await openJsonStore(path, {
      schema: Document, initial: { profiles: [] }, warn, compact: true
    }), now)
  }

  /** Newest first. */
  list (): readonly ImportedProfile[] {
    return this.#document.get().profiles.map(profileOf)
  }

  /** By id, or the newest of that name. @throws PRN_ERR_NO_IMPORTED_PROFILE */
  find (wanted: string): ImportedProfile {
    const all = this.list()
    const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted)
    if (found === undefined) throw new NoImportedProfile(wanted)
    return found
  }

  /** Stores a configuration of PrusaSlicer. @throws PRN_ERR_BAD_INPUT that says what is wrong with the file */
  async add (name: string, text: string, names: PresetNames, by: string): Promise<ImportedProfile> {
    return await this.#store(name, safeSettings(readConfiguration(text, names)), by)
  }

  /**
   * Stores presets of OrcaSlicer or Bambu Studio.
   * @param name left out: that of the process and the filament
   * @throws PRN_ERR_BAD_INPUT that names what is missing
   */
  async addPresets (
    name: string | undefined, files: readonly PresetFile[], names: PresetNames, by: string
  ): Promise<ImportedProfile> {
    const safe = safePresets(readPresets(files, names))
    const { process, filament } = safe.presets
    const usual = `${process.name}, ${filament.name}`.slice(0, LONGEST_NAME)
    return await this.#store(name ?? usual, { settings: {}, ...safe }, by)
  }

  async #store (name: string, { settings, presets, changed }: Content, by: string): Promise<ImportedProfile> {
    const stored = {
      id: checksumOf(presets ?? settings),
      name,
      addedAt: this.#now(),
      addedBy: by,
      changed: [...changed],
      settings: { ...settings },
      ...presets && { presets: presets as unknown as NonNullable<Static<typeof Stored>['presets']> }
    }
    const profile = profileOf(stored)
    const others = this.#document.get().profiles.filter(one => one.id !== stored.id && one.name !== name)
    if (others.length >= MOST) throw new BadInput(`There are ${MOST} imported profiles already. Remove one that you do not need`)
    await this.#document.set({ profiles: [stored, ...others] })
    return profile
  }

  /** @throws PRN_ERR_NO_IMPORTED_PROFILE */
  async remove (wanted: string): Promise<ImportedProfile> {
    const found = this.find(wanted)
    await this.#document.set({ profiles: this.#document.get().profiles.filter(({ id }) => id !== found.id) })
    return found
  }
}
