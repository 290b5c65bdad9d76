import { createHash } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder, rightsOf, type Caller } from '../../core/index.js'
import { FileMissing, HostPathRefused, OwnFilesFull, OwnFilesOnly } from './errors.js'
import { createHostPaths, type HostPaths } from './host-paths.js'
import { bytesOf, createQuota, filesIn, type Room, type StoredFile } from './quota.js'

const MIB = 1024 ** 2
const ROOT = 'own-uploads'
/** A file waits here until it is sent to a card; its sender still has it. */
const MOST_AGE_MS = 30 * 24 * 3_600_000

/** Files of this host that a caller may name. */
export interface HostFiles {
  /** Folder of the caller's uploads. */
  folder (): Promise<string>
  /** Reserves room for an upload. @throws PRN_ERR_UPLOADS_FULL, PRN_ERR_OWN_FILES_FULL */
  reserve (name: string): Promise<Room>
  /** Path of an upload by its plain name. @throws PRN_ERR_FILE_NOT_FOUND */
  stored (name: string): Promise<string>
  readonly paths: HostPaths
}

export interface HostFilesOptions {
  readonly dataDir: string
  /** Paths for callers who may use all printers. */
  readonly paths: HostPaths
  readonly closed: readonly string[]
  /** Limit of the shared uploads in bytes, and separately of all own uploads together. */
  readonly mostBytes: number
  /** Limit of one caller's own uploads, bytes. */
  readonly mostOwnBytes: number
  readonly now: () => number
}

/** Finds files in a folder by their plain name; links are ignored. */
const storedIn = (folder: () => Promise<string>) => async (name: string): Promise<string> => {
  const path = join(await folder(), name)
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new FileMissing(name)
  return path
}

/**
 * Uploads and host files by caller. Callers who may use only some printers have a folder of their own, as other uploads
 * may belong to printers that such a caller must not know of.
 */
export function createHostFiles ({ dataDir, paths, closed, mostBytes, mostOwnBytes, now }: HostFilesOptions) {
  const uploads = () => privateFolder(join(dataDir, 'uploads'))
  const quota = createQuota(uploads, mostBytes)
  const shared: HostFiles = { folder: uploads, reserve: quota.reserve, stored: storedIn(uploads), paths }

  /** Bytes of uploads in progress into own folders, which no listing shows yet. */
  let pending = 0

  async function allOwn (): Promise<StoredFile[]> {
    const folders = await readdir(join(dataDir, ROOT)).catch(() => [])
    return (await Promise.all(folders.map(name => filesIn(join(dataDir, ROOT, name))))).flat()
  }

  async function removeOld (): Promise<void> {
    const old = (await allOwn()).filter(({ writtenAt }) => writtenAt < now() - MOST_AGE_MS)
    await Promise.all(old.map(({ path }) => rm(path, { force: true })))
  }

  /** Removes the oldest files, as their owner has no other way to delete them. */
  async function makeRoom (folder: string): Promise<void> {
    const files = (await filesIn(folder)).sort((a, b) => a.writtenAt - b.writtenAt)
    let total = bytesOf(files)
    for (const { path, size } of files) {
      if (total <= mostOwnBytes / 2) return
      await rm(path, { force: true })
      total -= size
    }
  }

  function ownOf (id: string): HostFiles {
    const name = createHash('sha256').update(id).digest('hex').slice(0, 32)
    const folder = () => privateFolder(dataDir, ROOT, name)
    const own = createQuota(folder, mostOwnBytes, () => new OwnFilesFull(mostOwnBytes / MIB))
    const inside = createHostPaths({ own: join(dataDir, ROOT, name), open: [], closed })
    const checked = (find: (path: string) => Promise<string>) => async (path: string): Promise<string> => {
      await folder()
      return await find(path).catch(error => {
        throw error instanceof HostPathRefused ? new OwnFilesOnly(path) : error
      })
    }
    return {
      folder,
      stored: storedIn(folder),
      paths: { source: checked(inside.source), target: checked(inside.target) },
      async reserve (name) {
        await removeOld()
        await makeRoom(await folder())
        const stored = bytesOf(await allOwn())
        const room = await own.reserve(name)
        let taken = 0
        return {
          take (bytes) {
            if (stored + pending + bytes > mostBytes) throw new OwnFilesFull(mostBytes / MIB)
            room.take(bytes)
            taken += bytes
            pending += bytes
          },
          end () {
            room.end()
            pending -= taken
            taken = 0
          }
        }
      }
    }
  }

  const byOwner = new Map<string, HostFiles>()
  return {
    removeOld,
    of (caller?: Caller): HostFiles {
      const rights = rightsOf(caller)
      if (rights?.printers === undefined) return shared
      const id = rights.id ?? `name ${rights.name}`
      const files = byOwner.get(id) ?? ownOf(id)
      byOwner.set(id, files)
      return files
    }
  }
}
