import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createKeyedQueue, type PrinterSession } from '../../core/index.js'
import type { CardEntry, CardFile, FilesService } from '../files/index.js'
import type { Archive } from './archive/index.js'
import { BadArchive, ProjectUnreadable } from './errors.js'
import { CACHE_BYTES, LARGEST_HASHED, MOST_PLATES, MOST_READERS } from './limits.js'
import type { ImageKind, Plate } from './read/project.js'
import { projectRecord, type PlateImages, type ProjectRecord, type Source } from './project-document.js'
import type { CachedProject } from './cached-project.js'
import type { ProjectStore } from './project-store.js'
import { createProjectCache } from './project-cache.js'

/** One project on a card while it is open. */
export interface OpenProject {
  readonly source: Source
  readonly plates: readonly number[]
  /** @throws PRN_ERR_BAD_ARCHIVE */
  plate (number: number): Promise<Plate>
  image (number: number, kind: ImageKind): Promise<Buffer | undefined>
  /** The plate of this number, else the first. */
  nearest (number: number): number
  record (number: number, withImages: boolean): Promise<ProjectRecord>
}

type Reading<T> = (project: OpenProject) => Promise<T>

/** Detail of the error for a file that is not on the card. */
export const NO_FILE = 'there is no such file'

interface ReadOptions {
  readonly signal?: AbortSignal
  /** The entry was just read from the card. */
  readonly isCurrent?: boolean
}

/** Loaded with the first project, because its libraries are large and many services never open one. */
const reader = () => import('./read/index.js')

/** Upper-case hexadecimal MD5 of a file on the host. */
async function hashOf (path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex').toUpperCase()
}

/** Reads a small file whole. */
async function takeWhole (file: CardFile): Promise<{ file: Pick<CardFile, 'entry' | 'read'>, md5: string }> {
  const { entry } = file
  const bytes = await file.read(0, entry.size)
  const md5 = createHash('md5').update(bytes).digest('hex').toUpperCase()
  return { md5, file: { entry, read: async (start, length) => bytes.subarray(start, start + length) } }
}

const keyOf = ({ config }: PrinterSession, path: string): string => `${config.serial}\n${path}`

/** @param store keeps projects across restarts */
export function createProjectReader (files: () => FilesService, store?: ProjectStore) {
  const cache = createProjectCache(CACHE_BYTES, store)
  const { run: inTurn } = createKeyedQueue(MOST_READERS)

  async function read<T> (session: PrinterSession, entry: CardEntry, reading: Reading<T>,
    { signal, isCurrent = false }: ReadOptions = {}): Promise<T> {
    const key = keyOf(session, entry.path)
    return await inTurn(key, async () => {
      signal?.throwIfAborted()
      const options = { ...(signal && { signal }), ...(isCurrent && { entry }) }
      const lazy = openLater(() => files().open(session, entry.path, options), entry, signal)
      try {
        const project = await cache.find(key, entry) ?? await begin(entry, await lazy.open())
        const done = await reading(describe(session, project, async () => (await lazy.open()).archive))
        await cache.put(key, project)
        return done
      } finally {
        await lazy.close()
      }
    })
  }

  async function openAs<T> (session: PrinterSession, path: string, entry: CardEntry | undefined, reading: Reading<T>,
    options: ReadOptions): Promise<T> {
    if (!entry || entry.isFolder) throw new ProjectUnreadable(path).with({ detail: NO_FILE })
    try {
      return await read(session, entry, reading, options)
    } catch (error) {
      if (!(error instanceof BadArchive)) throw error
      throw new ProjectUnreadable(path, { cause: error }).with({ detail: error.message })
    }
  }

  return {
    read,
    /** Call after a file was replaced, since the new one may have the same size and minute. */
    forget: (session: PrinterSession, path: string): Promise<void> => cache.forget(keyOf(session, path)),
    /**
     * Reads in the project at this path.
     * @throws PRN_ERR_PROJECT_UNREADABLE when it is not on the card or is no project, and the errors of the card
     */
    async open<T> (session: PrinterSession, path: string, reading: Reading<T>, signal?: AbortSignal): Promise<T> {
      return await openAs(session, path, await files().find(session, path, signal && { signal }), reading,
        signal ? { signal } : {})
    },
    /**
     * Like `open`, but first checks on the card that the file exists and is unchanged.
     * @throws as `open`
     */
    async openCurrent<T> (session: PrinterSession, path: string, reading: Reading<T>, signal?: AbortSignal):
    Promise<T> {
      const entry = await files().stat(session, path, signal && { signal })
      return await openAs(session, path, entry, reading, { isCurrent: true, ...(signal && { signal }) })
    }
  }
}

export type ProjectReader = ReturnType<typeof createProjectReader>

interface Opened { readonly archive: Archive, readonly md5: string }

/** Opens the file only when a part is needed that is not cached. */
function openLater (open: () => Promise<CardFile>, entry: CardEntry, signal?: AbortSignal) {
  let file: Promise<CardFile> | undefined
  let opened: Promise<Opened> | undefined
  async function begin (): Promise<Opened> {
    const { openArchive } = await reader()
    file = open()
    const card = await file
    if (entry.size > LARGEST_HASHED) {
      const md5 = card.localPath === undefined ? '' : await hashOf(card.localPath)
      return { archive: await openArchive(card, signal), md5 }
    }
    const whole = await takeWhole(card)
    return { archive: await openArchive(whole.file, signal), md5: whole.md5 }
  }
  return {
    open: () => (opened ??= begin()),
    close: async () => await file?.then(card => card.close(), () => {})
  }
}

async function begin (entry: CardEntry, { archive, md5 }: Opened): Promise<CachedProject> {
  const { readProject } = await reader()
  const project = await readProject(archive)
  if (project.plates.length === 0 && project.hasMorePlates) {
    throw new BadArchive(`all its plates have numbers above ${MOST_PLATES}, which are not read`)
  }
  if (project.plates.length === 0) throw new BadArchive('it holds no plate that was ever sliced')
  return { source: { entry, md5, project }, plates: new Map(), images: new Map() }
}

/** Fetches a missing value and caches it. */
async function once<K, V> (known: Map<K, V>, key: K, fetch: () => Promise<V>): Promise<V> {
  if (!known.has(key)) known.set(key, await fetch())
  return known.get(key) as V
}

function describe (session: PrinterSession, { source, plates, images }: CachedProject, archive: () => Promise<Archive>):
OpenProject {
  const { project } = source
  const bed = session.model.bedMm
  const plate = (number: number) =>
    once(plates, number, async () => await (await reader()).readPlate(await archive(), project, number, bed))
  const image = (number: number, kind: ImageKind) =>
    once(images, `${kind} ${number}`, async () => await (await reader()).readImage(await archive(), number, kind))
  const bothImages = async (number: number): Promise<PlateImages> =>
    ({ thumbnail: await image(number, 'thumbnail'), topimg: await image(number, 'topimg') })
  return {
    source,
    plates: project.plates,
    plate,
    image,
    nearest: number => project.plates.includes(number) ? number : project.plates[0] ?? number,
    record: async (number, withImages) => projectRecord(source, await plate(number),
      withImages ? await bothImages(number) : undefined, session.model.extruders > 1)
  }
}
