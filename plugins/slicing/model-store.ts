import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type, type Static } from 'typebox'
import { BadInput, openJsonStore, type JsonStore } from '../../core/index.js'
import { NoSlicingModel, SlicingFull } from './errors.js'
import type { ModelReport, ModelThread } from './models/index.js'

const MIB = 1024 ** 2
const PARTIAL = '.part'

const StoredModel = Type.Object({
  id: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  addedAt: Type.Integer(),
  addedBy: Type.String(),
  report: Type.Unsafe<ModelReport>({ type: 'object' })
})
export type StoredModel = Static<typeof StoredModel>

const Document = Type.Object({ models: Type.Array(StoredModel) })

export interface ModelStoreOptions {
  readonly folder: string
  readonly thread: ModelThread
  readonly now: () => number
  /** Of one model, and of all together, MiB. */
  readonly modelMiB: number
  readonly roomMiB: number
  readonly warn: (message: string) => void
}

/** Ending of a file's name with its point, in lower case. */
const endingOf = (name: string): string => /\.[a-z0-9]{1,5}$/i.exec(name)?.[0].toLowerCase() ?? ''

/** Models that were uploaded, each once under the checksum of its content. */
export class ModelStore {
  readonly #options: ModelStoreOptions
  readonly #document: JsonStore<Static<typeof Document>>
  /** Bytes of uploads that are not stored yet. */
  #reserved = 0

  private constructor (options: ModelStoreOptions, document: JsonStore<Static<typeof Document>>) {
    this.#options = options
    this.#document = document
  }

  static async open (options: ModelStoreOptions): Promise<ModelStore> {
    const { folder, warn } = options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      if (name.includes(PARTIAL)) await rm(join(folder, name), { force: true })
    }
    const document = await openJsonStore(join(folder, 'models.json'), {
      schema: Document, initial: { models: [] }, warn, compact: true
    })
    return new ModelStore(options, document)
  }

  /** Newest first. */
  list (): readonly StoredModel[] { return this.#document.get().models }

  /** By id, or the newest of that name. @throws PRN_ERR_NO_SLICING_MODEL */
  find (wanted: string): StoredModel {
    const models = this.list()
    const found = models.find(({ id }) => id === wanted) ?? models.find(({ name }) => name === wanted)
    if (found === undefined) throw new NoSlicingModel(wanted)
    return found
  }

  has (wanted: string): boolean { return this.list().some(({ id, name }) => id === wanted || name === wanted) }

  pathOf ({ id, name }: Pick<StoredModel, 'id' | 'name'>): string {
    return join(this.#options.folder, id + endingOf(name))
  }

  /**
   * Stores a model while it streams in, and reads what is in it.
   * @throws PRN_ERR_BAD_MODEL, PRN_ERR_SLICING_FULL, PRN_ERR_BAD_INPUT
   */
  async add (source: NodeJS.ReadableStream, name: string, by: string, signal: AbortSignal): Promise<StoredModel> {
    const { folder, thread, now } = this.#options
    const partial = join(folder, randomBytes(6).toString('hex') + PARTIAL + endingOf(name))
    const { id, size } = await this.#receive(source, partial, signal).catch(async (error: unknown) => {
      await rm(partial, { force: true })
      throw error
    })
    try {
      const report = await thread.inspect(partial, name, signal)
      const model = { id, name, size, addedAt: now(), addedBy: by, report }
      await rename(partial, this.pathOf(model))
      const others = this.list().filter(other => other.id !== id)
      await this.#document.set({ models: [model, ...others] })
      return model
    } finally {
      this.#reserved -= size
      await rm(partial, { force: true })
    }
  }

  async remove (id: string): Promise<void> {
    const model = this.find(id)
    await this.#document.set({ models: this.list().filter(other => other.id !== model.id) })
    await rm(this.pathOf(model), { force: true })
  }

  /** Its size counts from the first byte on, so that many uploads at once do not exceed the room. */
  async #receive (source: NodeJS.ReadableStream, path: string, signal: AbortSignal):
  Promise<{ readonly id: string, readonly size: number }> {
    const { modelMiB, roomMiB } = this.#options
    const hash = createHash('sha256')
    let size = 0
    const reserve = (bytes: number) => {
      size += bytes
      this.#reserved += bytes
      const stored = this.list().reduce((sum, model) => sum + model.size, 0)
      if (size > modelMiB * MIB) throw new BadInput(`a model has at most ${modelMiB} MiB`)
      if (stored + this.#reserved > roomMiB * MIB) throw new SlicingFull(String(roomMiB))
    }
    const counted = new Transform({
      transform (chunk: Buffer, _encoding, done) {
        try {
          reserve(chunk.length)
          hash.update(chunk)
          done(null, chunk)
        } catch (error) {
          done(error as Error)
        }
      }
    })
    try {
      await pipeline(source, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    } catch (error) {
      this.#reserved -= size
      throw error
    }
    return { id: hash.digest('hex'), size }
  }
}
