import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkReplaceable, isServiceError } from '../../core/index.js'
import { readHostProject, type HostProject } from '../projects/index.js'
import { LibraryFull, NoSlicedFile, NotSliced, SlicedFileTooLarge } from './errors.js'
import type { Contents } from './store/contents.js'
import type { PlateFacts, SlicedFile } from './types.js'

const MIB = 1024 ** 2
const ENDING = '.3mf'
const PARTIAL = '.part'
const LONGEST_NAME = 100

export interface LibraryOptions {
  readonly folder: string
  readonly fileMiB: number
  readonly libraryMiB: number
  readonly now: () => number
  /** File contents shared with other services; left out where the database is not shared. */
  readonly contents?: Contents | undefined
}

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
  seconds: plate.seconds,
  grams: plate.grams
}))

/** Sliced files on this host, stored once each under the checksum of their content. */
export function createLibrary ({ folder, fileMiB, libraryMiB, now, contents }: LibraryOptions) {
  const sizes = new Map<string, number>()
  const fetching = new Map<string, Promise<boolean>>()
  let pending = 0
  const forget = (id: string): void => { sizes.delete(id) }
  const pathOf = (id: string): string => join(folder, `${id}${ENDING}`)
  const stored = (): number => [...sizes.values()].reduce((sum, size) => sum + size, 0)

  /** Reads the sizes of the stored files, and removes partial files that an earlier run left behind. */
  async function open (): Promise<void> {
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (name.endsWith(PARTIAL)) await rm(path, { force: true })
      if (!isId(name.slice(0, -ENDING.length))) continue
      const info = await lstat(path)
      if (info.isFile()) sizes.set(name.slice(0, -ENDING.length), info.size)
    }
  }

  /** @throws PRN_ERR_SLICED_FILE_TOO_LARGE, PRN_ERR_LIBRARY_FULL */
  function count (size: number, bytes: number): void {
    if (size > fileMiB * MIB) throw new SlicedFileTooLarge(fileMiB)
    if (stored() + pending + bytes > libraryMiB * MIB) throw new LibraryFull(libraryMiB)
    pending += bytes
  }

  async function write (source: NodeJS.ReadableStream, path: string, signal: AbortSignal | undefined):
  Promise<{ id: string, size: number }> {
    const hash = createHash('sha256')
    let size = 0
    const counted = new Transform({
      transform (chunk: Buffer, _encoding, done) {
        try {
          count(size + chunk.length, chunk.length)
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
      return { id: hash.digest('hex'), size }
    } finally {
      pending -= size
    }
  }

  async function fetch (id: string, from: Contents): Promise<boolean> {
    const fresh = join(folder, `${randomBytes(6).toString('hex')}${PARTIAL}`)
    try {
      const { id: found, size } = await write(Readable.from(from.read(id)), fresh, undefined)
      if (found !== id) return false
      await rename(fresh, pathOf(id))
      sizes.set(id, size)
      return true
    } finally {
      await rm(fresh, { force: true })
    }
  }

  /** Fetches a file that another service has added. @returns whether it is present on this host */
  async function fetchMissing (id: string): Promise<boolean> {
    if (sizes.has(id) || contents === undefined) return sizes.has(id)
    const running = fetching.get(id) ?? fetch(id, contents).finally(() => fetching.delete(id))
    fetching.set(id, running)
    return await running
  }

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

  return {
    open,
    /**
     * Stores a file while it streams in; files with the same content are stored once.
     * @throws PRN_ERR_NOT_SLICED, PRN_ERR_SLICED_FILE_TOO_LARGE, PRN_ERR_LIBRARY_FULL
     */
    async add (source: NodeJS.ReadableStream, name: string, by: string, signal?: AbortSignal): Promise<SlicedFile> {
      const fresh = join(folder, `${randomBytes(6).toString('hex')}${PARTIAL}`)
      try {
        const { id, size } = await write(source, fresh, signal)
        const plates = await factsIn(fresh)
        await checkReplaceable(pathOf(id))
        await rename(fresh, pathOf(id))
        sizes.set(id, size)
        return { id, name: name.slice(0, LONGEST_NAME), size, plates, addedAt: now(), addedBy: by }
      } finally {
        await rm(fresh, { force: true })
      }
    },
    /** Makes a file that was added available to the other services. */
    share: async (id: string): Promise<void> => { await contents?.write(id, pathOf(id)) },
    /**
     * Path of a file after its content was checked against its id.
     * @throws PRN_ERR_NO_SLICED_FILE, PRN_ERR_LIBRARY_FULL
     */
    async verified (id: string): Promise<string> {
      await fetchMissing(id)
      const path = pathOf(id)
      const hash = createHash('sha256')
      try {
        await checkReplaceable(path)
        for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
      } catch {
        forget(id)
        throw new NoSlicedFile(id)
      }
      if (hash.digest('hex') === id) return path
      await rm(path, { force: true })
      forget(id)
      throw new NoSlicedFile(id)
    },
    /** The slicer's thumbnail of a plate, as PNG. */
    picture: async (id: string, plate: number): Promise<Buffer | undefined> => isId(id) && await fetchMissing(id)
      ? await readHostProject(pathOf(id), async project => await project.picture(plate)).catch(() => undefined)
      : undefined,
    async remove (id: string): Promise<void> {
      forget(id)
      await rm(pathOf(id), { force: true })
    },
    /** Ids of the files stored on this host. */
    get present (): ReadonlySet<string> { return new Set(sizes.keys()) }
  }
}

export type Library = ReturnType<typeof createLibrary>

/** Unique path on the card for each run; the printer shows its name. */
export const cardPathOf = (name: string, run: string): string => {
  const base = name.replace(/\.3mf$/i, '').replace(/\.gcode$/i, '').replaceAll(/[^A-Za-z0-9._]+/g, '-').slice(0, 40)
  return `/${base || 'job'}-${run.slice(0, 8)}.gcode.3mf`
}
