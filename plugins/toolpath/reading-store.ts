import { createHash, randomBytes } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { createDiskLru, readOwnFile, type DiskLru, type PrinterSession } from '../../core/index.js'
import type { CardEntry } from '../files/index.js'
import type { Reading } from './reading.js'

/** A file as it was when it was read. */
export type FileVersion = Pick<CardEntry, 'path' | 'size' | 'modifiedAt' | 'changedAt'>

/** Which plate was read, and for which printer. */
export interface PlateId {
  /** The place of the file: a printer's card, or this host. */
  readonly place: string
  readonly entry: FileVersion
  readonly plate: number
  /** The model that it was judged for. */
  readonly model: string
}

type FileId = Pick<PlateId, 'place'> & { readonly entry: Pick<FileVersion, 'path'> }

export interface ReadingStoreOptions {
  readonly folder: () => Promise<string>
  readonly maxBytes: number
  readonly warn: (message: string) => void
}

/** Begins every stored reading; its number is raised whenever the shape or the judgement changes. */
const MARK = Buffer.from('prnd reading 6\n')
const DIGEST_BYTES = 32
const HEAD_BYTES = MARK.length + DIGEST_BYTES
const PRIVATE = 0o600
const MOST_IN_MEMORY = 16
/** Files on which a newer reading is insisted; of more, the size and time must do. */
const MOST_REPLACED = 1_000
/** Most that one track may take of the store. */
const LARGEST_SHARE = 1 / 2

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** A newer version of a file takes the place of the older one. */
const nameOf = ({ place, plate, model, entry: { path } }: PlateId): string =>
  createHash('sha256').update(JSON.stringify([place, path, plate, model])).digest('hex').slice(0, 32)

const fileOf = ({ place, entry: { path } }: FileId): string =>
  JSON.stringify([place, path])

/** The time with seconds is known only of files that were asked for one by one. */
const isSame = (read: FileVersion, now: FileVersion): boolean => read.size === now.size &&
  read.modifiedAt === now.modifiedAt && (now.changedAt === undefined || read.changedAt === now.changedAt)

export interface StoredReading {
  readonly entry: FileVersion
  readonly reading: Reading
  /** Name of its track in the store: another one for each reading, as the older one may just be sent. */
  readonly track: string
}

/** Plates that were read, on disk. The latest are in memory, too. */
export class ReadingStore {
  readonly #files: DiskLru
  readonly #maxTrackBytes: number
  readonly #warn: (message: string) => void
  readonly #latest = new Map<string, StoredReading>()
  /** Names of the readings made since a file was replaced, by its place and path. */
  readonly #replaced = new Map<string, Set<string>>()

  constructor ({ folder, maxBytes, warn }: ReadingStoreOptions) {
    this.#files = createDiskLru({ folder, maxBytes })
    this.#maxTrackBytes = maxBytes * LARGEST_SHARE
    this.#warn = warn
  }

  /** @returns undefined if this very file was not read, or what was stored of it is damaged */
  async load (id: PlateId): Promise<StoredReading | undefined> {
    const name = nameOf(id)
    if (this.#replaced.get(fileOf(id))?.has(name) === false) return undefined
    const stored = this.#latest.get(name) ?? await this.#read(name)
    if (stored === undefined || !isSame(stored.entry, id.entry)) return undefined
    this.#remember(name, stored)
    return stored
  }

  /** Path of a track that is whole; undefined if it has made room for others. */
  async track ({ track, reading }: StoredReading): Promise<string | undefined> {
    const path = await this.#files.use(track)
    const size = path === undefined ? undefined : (await stat(path)).size
    return size === reading.track.bytes ? path : undefined
  }

  /**
   * Stores a reading while it is made.
   * @param textBytes of the plate, by which room is made for its track
   * @param read writes the track to a new file
   */
  async save (
    id: PlateId, textBytes: number, read: (trackPath: string, mostTrackBytes: number) => Promise<Reading>
  ): Promise<StoredReading> {
    const name = nameOf(id)
    const readSince = this.#replaced.get(fileOf(id))
    const track = `${name}-${randomBytes(4).toString('hex')}.track`
    let reading: Reading | undefined
    await this.#files.add(track, Math.min(textBytes, this.#maxTrackBytes), async path => {
      reading = await read(path, this.#maxTrackBytes)
    })
    const stored: StoredReading = { entry: id.entry, reading: reading!, track }
    await this.#write(name, stored)
    readSince?.add(name)
    return stored
  }

  /** The same plate in another place, with the track that it has. */
  async copy ({ reading, track }: StoredReading, id: PlateId): Promise<void> {
    const readSince = this.#replaced.get(fileOf(id))
    await this.#write(nameOf(id), { entry: id.entry, reading, track })
    readSince?.add(nameOf(id))
  }

  /** After a file was replaced, since the new one may have the same size and minute. */
  forget (id: FileId): void {
    const file = fileOf(id)
    this.#replaced.delete(file)
    this.#replaced.set(file, new Set())
    const [oldest] = this.#replaced.keys()
    if (this.#replaced.size > MOST_REPLACED && oldest !== undefined) this.#replaced.delete(oldest)
  }

  async #write (name: string, stored: StoredReading): Promise<void> {
    const body = serialize(stored)
    const bytes = Buffer.concat([MARK, digestOf(body), body])
    await this.#files.add(`${name}.reading`, bytes.length, path => writeFile(path, bytes, { flag: 'wx', mode: PRIVATE }))
    this.#remember(name, stored)
  }

  async #read (name: string): Promise<StoredReading | undefined> {
    const path = await this.#files.use(`${name}.reading`)
    const bytes = path === undefined ? undefined : await readOwnFile(path).catch(() => undefined)
    if (bytes === undefined) return undefined
    if (!bytes.subarray(0, MARK.length).equals(MARK)) return undefined // by another version of the service
    const body = bytes.subarray(HEAD_BYTES)
    if (bytes.length > HEAD_BYTES && digestOf(body).equals(bytes.subarray(MARK.length, HEAD_BYTES))) {
      return deserialize(body) as StoredReading
    }
    this.#warn(`${path} is damaged: the plate is read anew`)
    await this.#files.remove(`${name}.reading`)
    return undefined
  }

  #remember (name: string, stored: StoredReading): void {
    this.#latest.delete(name)
    this.#latest.set(name, stored)
    const [oldest] = this.#latest.keys()
    if (this.#latest.size > MOST_IN_MEMORY && oldest !== undefined) this.#latest.delete(oldest)
  }
}

/** While a plate is read. */
export const keyOf = (place: string, path: string, plate: number): string => JSON.stringify([place, path, plate])

/** A plate of a file on this host, read for a model of printer. */
export const hostId = ({ model }: PrinterSession, entry: PlateId['entry'], plate: number): PlateId =>
  ({ place: 'host', entry, plate, model: model.model })

/** A plate of a file on a printer's card. */
export const idOn = ({ config, model }: PrinterSession, entry: PlateId['entry'], plate: number): PlateId =>
  ({ place: config.serial, entry, plate, model: model.model })
