import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { privateFolder, readOwnText, validationError, writeJson } from '../../core/index.js'
import { RecordingSchema, type Recording } from './schemas.js'

interface Room {
  /** Limit for finished and pending recordings together. */
  readonly maxBytes: number
  /** Size of pending recordings, including what is about to be written. */
  readonly pendingBytes: number
}

/**
 * The finished recordings to delete.
 * @param finished newest first
 * @returns oldest first; undefined if deleting all would not be enough
 */
export function evictionsFor (finished: readonly Recording[], { maxBytes, pendingBytes }: Room):
readonly Recording[] | undefined {
  if (pendingBytes > maxBytes) return undefined
  let total = finished.reduce((sum, { bytes }) => sum + bytes, pendingBytes)
  const gone: Recording[] = []
  for (const recording of finished.toReversed()) {
    if (total <= maxBytes) break
    gone.push(recording)
    total -= recording.bytes
  }
  return gone
}

/** Recordings on disk: each a video and a JSON file, both named by the recording's id. */
export interface RecordingStore {
  readonly folder: string
  /** Newest first. */
  readonly recordings: readonly Recording[]
  /** A folder for the files of a pending recording, removed at the next start. */
  workFolder (id: string): Promise<string>
  /**
   * Reserves space for a pending recording by deleting the oldest ones.
   * @param bytes total size of the pending recording, including the next write
   * @returns false if there is not enough space
   */
  reserve (id: string, bytes: number): Promise<boolean>
  /** Ends the reservation. */
  release (id: string): void
  /**
   * Stores a finished recording, replacing one with the same id.
   * @param file the video, which is moved; none for a failed recording, whose bytes are those of what is kept of it
   * @returns the recording with the size of its file
   */
  add (recording: Recording, file?: string): Promise<Recording>
  /** @returns false if there is no such recording */
  remove (id: string): Promise<boolean>
}

export interface RecordingStoreOptions {
  readonly dataDir: string
  readonly maxBytes: number
  /** Space to leave free on the disk. */
  readonly keepFreeBytes: number
  /** @default 2,000 */
  readonly mostRecordings?: number
  readonly log: FastifyBaseLogger
  readonly onRemoved: (recording: Recording) => void
  /** Free space on the disk of a folder, bytes. */
  readonly freeBytes?: (folder: string) => Promise<number>
}

const ID_BYTES = 9
/** An id that cannot be guessed and is safe as a file name. */
export const newId = (): string => randomBytes(ID_BYTES).toString('hex')

const OWN_NAME = /^([0-9a-f]{18})\.(json|mp4|part)$/
const MOST_JSON_BYTES = 64 * 1024
/** Free space is checked only after this much has been written. */
const FREE_CHECK_BYTES = 4 * 1024 * 1024
/** Bounds the time of the start, when all descriptions are read. */
const MOST_RECORDINGS = 2_000

const freeOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const videoName = (id: string): string => `${id}.mp4`

/** Reads existing recordings; videos without a description and unfinished ones are removed. */
export async function openRecordingStore (options: RecordingStoreOptions): Promise<RecordingStore> {
  const { dataDir, maxBytes, keepFreeBytes, mostRecordings = MOST_RECORDINGS } = options
  const { log, onRemoved, freeBytes = freeOf } = options
  const folder = await privateFolder(join(dataDir, 'recordings')) // may be a link to a larger disk
  let recordings: readonly Recording[] = await readAll(folder)
  const pending = new Map<string, number>()
  /** Written since the last check of free space. */
  let unchecked = Infinity
  let isShort = false

  const pathOf = (name: string) => join(folder, name)
  /** Without those that are being made anew, which are counted as pending. */
  const removable = () => recordings.filter(({ id }) => !pending.has(id))

  async function remove (id: string): Promise<boolean> {
    const known = recordings.find(recording => recording.id === id)
    if (known === undefined) return false
    recordings = recordings.filter(recording => recording !== known)
    await rm(pathOf(`${id}.json`), { force: true }) // first, as a video without it counts as unfinished
    await rm(pathOf(videoName(id)), { force: true })
    onRemoved(known)
    return true
  }

  /** Deletes nothing if deleting all would not be enough. */
  async function freeDisk (): Promise<boolean> {
    let missing = keepFreeBytes - await freeBytes(folder)
    const known = removable()
    if (missing > known.reduce((sum, { bytes }) => sum + bytes, 0)) return false
    for (const { id, bytes } of known.toReversed()) {
      if (missing <= 0) break
      await remove(id)
      missing -= bytes
    }
    return true
  }

  async function makeRoom (): Promise<boolean> {
    const pendingBytes = [...pending.values()].reduce((sum, one) => sum + one, 0)
    const gone = evictionsFor(removable(), { maxBytes, pendingBytes })
    if (gone === undefined) return false
    for (const { id } of gone) await remove(id)
    if (unchecked < FREE_CHECK_BYTES) return true
    const isFree = await freeDisk()
    if (isFree) unchecked = 0
    return isFree
  }

  return {
    folder,
    get recordings () { return recordings },
    async workFolder (id) {
      const path = pathOf(`${id}.part`)
      await mkdir(path, { mode: 0o700 })
      return path
    },
    async reserve (id, bytes) {
      unchecked += bytes - (pending.get(id) ?? 0)
      pending.set(id, bytes)
      const isRoom = await makeRoom()
      if (!isRoom && !isShort) log.warn('not enough space for recordings: free disk space, or raise their limit')
      isShort = !isRoom
      return isRoom
    },
    release: id => { pending.delete(id) },
    async add (finished, file) {
      const { id } = finished
      const bytes = file === undefined ? finished.bytes : (await stat(file)).size
      const recording = { ...finished, bytes }
      if (file !== undefined) await rename(file, pathOf(videoName(id)))
      await writeJson(pathOf(`${id}.json`), recording)
      recordings = sorted([recording, ...recordings.filter(known => known.id !== id)])
      for (const old of recordings.slice(mostRecordings)) await remove(old.id)
      return recording
    },
    remove
  }
}

const sorted = (recordings: readonly Recording[]): readonly Recording[] =>
  recordings.toSorted((a, b) => b.started_at.localeCompare(a.started_at) || b.id.localeCompare(a.id))

/** @returns undefined for an invalid description or a missing video */
async function readOne (folder: string, id: string): Promise<Recording | undefined> {
  const path = join(folder, `${id}.json`)
  try {
    if ((await stat(path)).size > MOST_JSON_BYTES) return undefined
    const recording: unknown = JSON.parse(await readOwnText(path) ?? '')
    if (validationError(RecordingSchema, recording) !== undefined) return undefined
    const known = recording as Recording
    if (known.id !== id) return undefined
    if (known.status === 'failed') return known
    return { ...known, bytes: (await stat(join(folder, videoName(id)))).size }
  } catch {
    return undefined
  }
}

/** Files with other names are ignored. */
async function readAll (folder: string): Promise<readonly Recording[]> {
  const names = (await readdir(folder)).flatMap(name => {
    const [, id = '', ending = ''] = OWN_NAME.exec(name) ?? []
    return id === '' ? [] : [{ name, id, ending }]
  })
  const found = new Map<string, Recording>()
  for (const { id } of names.filter(({ ending }) => ending === 'json')) {
    const recording = await readOne(folder, id)
    if (recording !== undefined) found.set(id, recording)
  }
  for (const { name, id, ending } of names) {
    if (ending === 'part' || !found.has(id)) await rm(join(folder, name), { recursive: true, force: true })
  }
  return sorted([...found.values()])
}
