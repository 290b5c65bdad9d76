import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkReplaceable, isServiceError } from '../../core/index.js'
import { isTower, readHostProject, type HostProject } from '../projects/index.js'
import { NoSlicedFile, NotSliced } from './errors.js'
import { LibraryRoom, type LibraryLimits } from './library-room.js'
import type { Contents } from './store/contents.js'
import type { PlateFacts, SlicedFile } from './types.js'

const ENDING = '.3mf'
const PARTIAL = '.part'
const LONGEST_NAME = 100

export interface LibraryOptions extends LibraryLimits {
  readonly folder: string
  readonly now: () => number
  /** File contents shared with other services; left out where the database is not shared. */
  readonly contents?: Contents | undefined
}

interface Written { readonly id: string, readonly size: number, readonly path: string }

/** There is no file of that name, or something else in its place. */
const isMissing = (error: unknown): boolean =>
  isServiceError(error) || (error as NodeJS.ErrnoException).code === 'ENOENT'

const isId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The facts of a plate that choosing a printer needs. */
const factsOf = ({ plates }: HostProject): PlateFacts[] => plates.map(plate => ({
  number: plate.number,
  name: plate.name,
  printable: plate.printable,
  filaments: plate.filaments,
  filamentExtruders: plate.filamentExtruders,
  physicalExtruders: plate.physicalExtruders,
  nozzleDiametersMm: plate.nozzleDiametersMm,
  printerModelId: plate.printerModelId,
  bedType: plate.bedType,
  parts: plate.boxes.filter(({ name }) => !isTower(name)).length,
  seconds: plate.seconds,
  grams: plate.grams
}))

/** Sliced files on this host, stored once each under the checksum of their content. */
export class Library {
  readonly #options: LibraryOptions
  readonly #room: LibraryRoom
  /** Downloads of files that other services have added, by id. */
  readonly #fetching = new Map<string, Promise<boolean>>()
  /** Ids of files whose content is being stored for others. */
  readonly #sharing = new Set<string>()
  #isCatchingUp = false

  constructor (options: LibraryOptions) {
    this.#options = options
    this.#room = new LibraryRoom(options)
  }

  /** Reads the sizes of the stored files, and removes partial files that an earlier run left behind. */
  async open (): Promise<void> {
    const { folder } = this.#options
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (name.endsWith(PARTIAL)) await rm(path, { force: true })
      const id = name.slice(0, -ENDING.length)
      if (!isId(id)) continue
      const info = await lstat(path)
      if (info.isFile()) this.#room.add(id, info.size)
    }
  }

  /**
   * Stores a file while it streams in; files with the same content are stored once.
   * @throws PRN_ERR_NOT_SLICED, PRN_ERR_SLICED_FILE_TOO_LARGE, PRN_ERR_LIBRARY_FULL
   */
  async add (source: NodeJS.ReadableStream, name: string, by: string, signal?: AbortSignal): Promise<SlicedFile> {
    return await this.#written(source, signal, async ({ id, size, path }) => {
      const plates = await factsIn(path)
      await checkReplaceable(this.#pathOf(id))
      await rename(path, this.#pathOf(id))
      this.#room.add(id, size)
      return { id, name: name.slice(0, LONGEST_NAME), size, plates, addedAt: this.#options.now(), addedBy: by }
    })
  }

  /** Makes a file that was added available to the other services. */
  async share (id: string): Promise<void> {
    this.#sharing.add(id)
    try {
      await this.#options.contents?.write(id, this.#pathOf(id))
    } finally {
      this.#sharing.delete(id)
    }
  }

  /** Shares files of this host that could not be shared when they were added. Rejects if one of them still cannot. */
  async shareMissing (wanted: Iterable<SlicedFile>): Promise<void> {
    if (this.#options.contents === undefined || this.#isCatchingUp) return
    this.#isCatchingUp = true
    const failures: unknown[] = []
    for (const { id, isStored } of wanted) {
      if (isStored === true || !this.#room.has(id) || this.#sharing.has(id)) continue
      await this.verified(id).then(() => this.share(id)).catch((error: unknown) => failures.push(error))
    }
    this.#isCatchingUp = false
    if (failures.length > 0) throw failures[0]
  }

  /**
   * Path of a file after its content was checked against its id.
   * @throws PRN_ERR_NO_SLICED_FILE, PRN_ERR_LIBRARY_FULL
   */
  async verified (id: string): Promise<string> {
    await this.#fetchMissing(id)
    const path = this.#pathOf(id)
    const hash = createHash('sha256')
    try {
      await checkReplaceable(path)
      for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    } catch (error) {
      if (!isMissing(error)) throw error // the file is not lost because a disk fails for a moment
      this.#room.remove(id)
      throw new NoSlicedFile(id)
    }
    if (hash.digest('hex') === id) return path
    await rm(path, { force: true })
    this.#room.remove(id)
    throw new NoSlicedFile(id)
  }

  /** Path of a file for those who look at it; its content is not checked. @throws PRN_ERR_NO_SLICED_FILE */
  async locate (id: string): Promise<string> {
    if (!isId(id) || !await this.#fetchMissing(id)) throw new NoSlicedFile(id)
    return this.#pathOf(id)
  }

  /** The slicer's thumbnail of a plate, as PNG. */
  async picture (id: string, plate: number): Promise<Buffer | undefined> {
    if (!isId(id) || !await this.#fetchMissing(id)) return undefined
    return await readHostProject(this.#pathOf(id), async project => await project.picture(plate)).catch(() => undefined)
  }

  async remove (id: string): Promise<void> {
    this.#room.remove(id)
    await rm(this.#pathOf(id), { force: true })
  }

  /** Ids of the files stored on this host. */
  get present (): ReadonlySet<string> { return this.#room.ids }

  #pathOf (id: string): string { return join(this.#options.folder, `${id}${ENDING}`) }

  #partialPath (): string { return join(this.#options.folder, `${randomBytes(6).toString('hex')}${PARTIAL}`) }

  /** Fetches a file that another service has added. @returns whether it is present on this host */
  async #fetchMissing (id: string): Promise<boolean> {
    const { contents } = this.#options
    if (this.#room.has(id) || contents === undefined) return this.#room.has(id)
    const running = this.#fetching.get(id) ?? this.#fetch(id, contents).finally(() => this.#fetching.delete(id))
    this.#fetching.set(id, running)
    return await running
  }

  async #fetch (id: string, from: Contents): Promise<boolean> {
    return await this.#written(Readable.from(from.read(id)), undefined, async ({ id: found, size, path }) => {
      if (found !== id) return false
      await rename(path, this.#pathOf(id))
      this.#room.add(id, size)
      return true
    })
  }

  /** Writes a partial file for `use`, which keeps it by renaming it; its size counts until then. */
  async #written<T> (
    source: NodeJS.ReadableStream, signal: AbortSignal | undefined, use: (file: Written) => Promise<T>
  ): Promise<T> {
    const room = this.#room
    const path = this.#partialPath()
    const hash = createHash('sha256')
    let size = 0
    const counted = new Transform({
      transform (chunk: Buffer, _encoding, done) {
        try {
          room.reserve(size + chunk.length, chunk.length)
          size += chunk.length
          hash.update(chunk)
          done(null, chunk)
        } catch (error) {
          done(error as Error)
        }
      }
    })
    try {
      await pipeline(source, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { ...(signal && { signal }) })
      return await use({ id: hash.digest('hex'), size, path })
    } finally {
      room.release(size)
      await rm(path, { force: true })
    }
  }
}

/** @throws PRN_ERR_NOT_SLICED */
async function factsIn (path: string): Promise<PlateFacts[]> {
  try {
    const plates = await readHostProject(path, async project => factsOf(project))
    if (plates.some(({ printable }) => printable)) return plates
  } catch (error) {
    if (isServiceError(error)) throw new NotSliced(error.message, { cause: error })
    throw error
  }
  throw new NotSliced('it holds no sliced plate')
}

/** Unique path on the card for each run; the printer shows its name. */
export const cardPathOf = (name: string, run: string): string => {
  const base = name.replace(/\.3mf$/i, '').replace(/\.gcode$/i, '').replaceAll(/[^A-Za-z0-9._]+/g, '-').slice(0, 40)
  return `/${base || 'job'}-${run.slice(0, 8)}.gcode.3mf`
}
