import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { openJsonStore, type JsonStore } from '../../../core/index.js'
import type { HeatRecord } from '../types.js'

export interface Heat { readonly serial: string, readonly heat: HeatRecord }

export interface OwnHeat extends Heat {
  /** Its start has ended, and nobody goes on with it. */
  isGivenUp: boolean
  /** It was heated before this service was started again. */
  readonly isLeft: boolean
}

const Written = Type.Array(Type.Object({
  serial: Type.String(),
  run: Type.String(),
  printer: Type.String(),
  owner: Type.String(),
  bedC: Type.Number(),
  chamberC: Type.Number(),
  minutes: Type.Number(),
  heatedAt: Type.Number()
}))

type File = Pick<JsonStore<Static<typeof Written>>, 'get' | 'set' | 'settled'>

/**
 * What this service has heated, in a file of its own: it is known after a kill even while the database is away, which
 * may have lost its power together with the service.
 */
export class OwnHeats {
  readonly #file: File
  /** By run. */
  readonly #heats: Map<string, OwnHeat>

  constructor (file: File) {
    this.#file = file
    this.#heats = new Map(file.get().map(({ serial, ...heat }) =>
      [heat.run, { serial, heat: { ...heat, warmAt: undefined }, isGivenUp: false, isLeft: true }]))
  }

  static async open (folder: string, warn: (message: string) => void): Promise<OwnHeats> {
    return new OwnHeats(await openJsonStore(join(folder, 'heats.json'), { schema: Written, initial: [], warn }))
  }

  get all (): readonly OwnHeat[] { return [...this.#heats.values()] }

  get (run: string): OwnHeat | undefined { return this.#heats.get(run) }

  /** @throws what the file system says: then it is not known after a kill */
  async begin (serial: string, heat: HeatRecord): Promise<void> {
    this.#heats.set(heat.run, { serial, heat, isGivenUp: false, isLeft: false })
    await this.#write()
  }

  /** @throws what the file system says */
  async end (run: string): Promise<void> {
    if (this.#heats.delete(run)) await this.#write()
  }

  settled (): Promise<void> { return this.#file.settled() }

  #write (): Promise<void> {
    return this.#file.set(this.all.map(({ serial, heat: { warmAt: _, ...heat } }) => ({ serial, ...heat })))
  }
}
