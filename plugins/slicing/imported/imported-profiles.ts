import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { BadInput, openJsonStore, type JsonStore } from '../../../core/index.js'
import { NoImportedProfile } from '../errors.js'
import { factsOf, type ProfileFacts } from './profile-facts.js'
import { readConfiguration, type PresetNames } from './read-configuration.js'
import { safeSettings } from './safe-settings.js'

const Stored = Type.Object({
  id: Type.String(),
  name: Type.String(),
  addedAt: Type.Integer(),
  addedBy: Type.String(),
  changed: Type.Array(Type.String()),
  settings: Type.Record(Type.String(), Type.String())
})
const Document = Type.Object({ profiles: Type.Array(Stored) })

/** A profile of somebody's own slicer, with the start code of whoever made it. */
export interface ImportedProfile extends Readonly<Static<typeof Stored>> { readonly facts: ProfileFacts }

const MOST = 100
const ID_LENGTH = 16

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
    return this.#document.get().profiles.map(stored => ({ ...stored, facts: factsOf(stored.settings) }))
  }

  /** By id, or the newest of that name. @throws PRN_ERR_NO_IMPORTED_PROFILE */
  find (wanted: string): ImportedProfile {
    const all = this.list()
    const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted)
    if (found === undefined) throw new NoImportedProfile(wanted)
    return found
  }

  /** @throws PRN_ERR_BAD_INPUT that says what is wrong with the file */
  async add (name: string, text: string, presets: PresetNames, by: string): Promise<ImportedProfile> {
    const { settings, changed } = safeSettings(readConfiguration(text, presets))
    const facts = factsOf(settings)
    const content = JSON.stringify(Object.entries(settings).sort())
    const id = createHash('sha256').update(content).digest('hex').slice(0, ID_LENGTH)
    const others = this.#document.get().profiles.filter(one => one.id !== id && one.name !== name)
    if (others.length >= MOST) throw new BadInput(`There are ${MOST} imported profiles already. Remove one that you do not need`)
    const stored = { id, name, addedAt: this.#now(), addedBy: by, changed: [...changed], settings: { ...settings } }
    await this.#document.set({ profiles: [stored, ...others] })
    return { ...stored, facts }
  }

  /** @throws PRN_ERR_NO_IMPORTED_PROFILE */
  async remove (wanted: string): Promise<ImportedProfile> {
    const found = this.find(wanted)
    await this.#document.set({ profiles: this.#document.get().profiles.filter(({ id }) => id !== found.id) })
    return found
  }
}
