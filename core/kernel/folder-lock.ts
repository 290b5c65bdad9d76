import { randomBytes } from 'node:crypto'
import { rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type, type Static } from 'typebox'
import { FolderInUse } from '../errors.js'
import { withFileLock } from '../util/file-lock.js'
import { isAlive, ownIdentity, ProcessIdentity } from '../util/process-identity.js'
import { isNoRoom, parseJson, unlessNoRoom, writeJson } from '../util/json-store.js'
import { readOwnText, setAside } from '../util/own-file.js'

const ServiceFile = Type.Object({
  process: ProcessIdentity,
  /** Readable only with access to the data folder: the service uses it to prove that the folder is its own. */
  key: Type.String({ minLength: 32 }),
  /** Port of the API; missing until it is bound. */
  port: Type.Optional(Type.Integer())
})
/** Published by the service that uses a data folder. */
export type ServiceFile = Readonly<Static<typeof ServiceFile>>

export interface FolderLock {
  readonly key: string
  /** False on a disk that is full or read-only: it is stored as soon as that is possible. */
  readonly isStored: boolean
  /** Publishes the service's port to programs with access to the folder. */
  announce (port: number): Promise<void>
  release (): Promise<void>
}

export interface LockTimes {
  /** How often a running service touches its file, ms. */
  readonly touchMs: number
  /** A process that cannot be inspected counts as ended if its file was not touched for this long, ms. */
  readonly silentMs: number
}

const TIMES: LockTimes = { touchMs: 15_000, silentMs: 40_000 }
const RETRY_EVERY_MS = 500
const KEY_BYTES = 32

const pathIn = (dataDir: string) => join(dataDir, 'service.json')

/** @returns undefined if there never was a service, or its file cannot be read */
export async function readServiceFile (dataDir: string): Promise<ServiceFile | undefined> {
  const text = await readOwnText(pathIn(dataDir)).catch(() => undefined)
  const parsed = parseJson(text ?? '', ServiceFile)
  return 'value' in parsed ? parsed.value : undefined
}

/**
 * Whether a service uses a data folder. One whose process cannot be inspected counts while its file is being touched.
 */
export async function isFolderInUse (dataDir: string, { silentMs } = TIMES): Promise<boolean> {
  const service = await readServiceFile(dataDir)
  if (service === undefined) return false
  const { mtimeMs } = await stat(pathIn(dataDir))
  return isAlive(service.process) ?? Date.now() - mtimeMs < silentMs
}

/**
 * Locks a data folder for this service; two services would overwrite each other's files. The lock of a killed service
 * is recognised by its process. Where that cannot be inspected, as in another container, this waits until the lock has
 * not been touched for long enough. A disk without room does not keep a service from starting, which watches prints.
 * @throws PRN_ERR_FOLDER_IN_USE; the signal's reason
 */
export async function lockFolder (dataDir: string, signal: AbortSignal, times = TIMES): Promise<FolderLock> {
  const path = pathIn(dataDir)
  let own: ServiceFile = { process: ownIdentity(), key: randomBytes(KEY_BYTES).toString('hex') }
  const isOurs = async () => (await readServiceFile(dataDir))?.key === own.key
  let touched: number | undefined
  let isStored = false
  /** Of the file that was found and could not be replaced: its service has ended. */
  let endedKey: string | undefined

  while (!await withFileLock(path, take).catch(takeWithoutRoom)) await sleep(RETRY_EVERY_MS, undefined, { signal })
  const timer = setInterval(() => { void touch() }, times.touchMs).unref()

  /** @returns false while it is unknown whether the other service has ended */
  async function take (): Promise<boolean> {
    const other = await readServiceFile(dataDir)
    if (other !== undefined && !await hasEnded(other)) return false
    if (other === undefined && await readOwnText(path) !== undefined) await setAside(path) // not written by a service
    await writeJson(path, own)
    isStored = true
    return true
  }

  async function takeWithoutRoom (error: unknown): Promise<boolean> {
    if (!isNoRoom(error)) throw error
    const other = await readServiceFile(dataDir)
    if (other !== undefined && !await hasEnded(other)) return false
    endedKey = other?.key
    return true
  }

  async function hasEnded (other: ServiceFile): Promise<boolean> {
    const alive = isAlive(other.process)
    const { mtimeMs } = await stat(path)
    if (alive === true || mtimeMs !== (touched ??= mtimeMs)) throw new FolderInUse(dataDir, nameOf(other))
    return alive === false || Date.now() - mtimeMs > times.silentMs
  }

  async function touch (): Promise<void> {
    if (!isStored) return await store().catch(() => {}) // again in a moment
    const now = new Date()
    if (await isOurs()) await utimes(path, now, now).catch(() => {})
  }

  /** Leaves the file of another service that has begun meanwhile. */
  const store = (): Promise<void> => withFileLock(path, async () => {
    const other = await readServiceFile(dataDir)
    const isOthers = other !== undefined && ![own.key, endedKey].includes(other.key)
    if (isOthers && isAlive(other.process) !== false) return
    await writeJson(path, own)
    isStored = true
  })

  return {
    key: own.key,
    get isStored () { return isStored },
    async announce (port) {
      own = { ...own, port }
      isStored = false
      await store().catch(unlessNoRoom)
    },
    async release () {
      clearInterval(timer)
      if (await isOurs()) await rm(path, { force: true }).catch(unlessNoRoom)
    }
  }
}

const nameOf = ({ process: { pid }, port }: ServiceFile): string =>
  port === undefined ? `process ${pid}` : `process ${pid}, on port ${port}`
