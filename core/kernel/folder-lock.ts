import { randomBytes } from 'node:crypto'
import { rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type, type Static } from 'typebox'
import { FolderInUse } from '../errors.js'
import { exclusively } from '../util/file-lock.js'
import { isAlive, ownIdentity, ProcessIdentity } from '../util/process-identity.js'
import { parseJson, writeJson } from '../util/json-store.js'
import { readOwnText, setAside } from '../util/own-file.js'

const ServiceFile = Type.Object({
  process: ProcessIdentity,
  /** Known to those who may read the data folder only: by it the service proves that the folder is its own. */
  key: Type.String({ minLength: 32 }),
  /** Where it serves; missing until it does. */
  port: Type.Optional(Type.Integer())
})
/** What the service that uses a data folder says of itself there. */
export type ServiceFile = Readonly<Static<typeof ServiceFile>>

export interface FolderLock {
  readonly key: string
  /** Tells those who share the folder where the service is. */
  announce (port: number): Promise<void>
  release (): Promise<void>
}

export interface LockTimes {
  /** How often a service that runs touches its file, ms. */
  readonly touchMs: number
  /** A process that cannot be looked at counts as ended when its file was not touched for so long. */
  readonly silentMs: number
}

const TIMES: LockTimes = { touchMs: 15_000, silentMs: 40_000 }
const LOOK_EVERY_MS = 500
const KEY_BYTES = 32

const pathIn = (dataDir: string) => join(dataDir, 'service.json')

/** @returns undefined where no service was ever, or its file cannot be read */
export async function readServiceFile (dataDir: string): Promise<ServiceFile | undefined> {
  const text = await readOwnText(pathIn(dataDir)).catch(() => undefined)
  const parsed = parseJson(text ?? '', ServiceFile)
  return 'value' in parsed ? parsed.value : undefined
}

/** Whether a service uses a data folder. One whose process cannot be looked at counts until it was silent for long. */
export async function isFolderInUse (dataDir: string, { silentMs } = TIMES): Promise<boolean> {
  const service = await readServiceFile(dataDir)
  if (service === undefined) return false
  const { mtimeMs } = await stat(pathIn(dataDir))
  return isAlive(service.process) ?? Date.now() - mtimeMs < silentMs
}

/**
 * Takes a data folder for this service alone; two would overwrite each other's files. What a killed service left is
 * recognised by its process; where that cannot be looked at, as in another container, by its silence, for which this
 * waits.
 * @throws PRN_ERR_FOLDER_IN_USE; the signal's reason
 */
export async function lockFolder (dataDir: string, signal: AbortSignal, times = TIMES): Promise<FolderLock> {
  const path = pathIn(dataDir)
  const own: ServiceFile = { process: ownIdentity(), key: randomBytes(KEY_BYTES).toString('hex') }
  const isOurs = async () => (await readServiceFile(dataDir))?.key === own.key
  let touched: number | undefined

  while (!await exclusively(path, take)) await sleep(LOOK_EVERY_MS, undefined, { signal })
  const timer = setInterval(() => { void touch() }, times.touchMs).unref()

  /** @returns false while it is not known whether the other one has ended */
  async function take (): Promise<boolean> {
    const other = await readServiceFile(dataDir)
    if (other !== undefined && !await hasEnded(other)) return false
    if (other === undefined && await readOwnText(path) !== undefined) await setAside(path) // it is not one of ours
    await writeJson(path, own)
    return true
  }

  async function hasEnded (other: ServiceFile): Promise<boolean> {
    const alive = isAlive(other.process)
    const { mtimeMs } = await stat(path)
    if (alive === true || mtimeMs !== (touched ??= mtimeMs)) throw new FolderInUse(dataDir, nameOf(other))
    return alive === false || Date.now() - mtimeMs > times.silentMs
  }

  async function touch (): Promise<void> {
    const now = new Date()
    if (await isOurs()) await utimes(path, now, now).catch(() => {})
  }

  return {
    key: own.key,
    async announce (port) { if (await isOurs()) await writeJson(path, { ...own, port }) },
    async release () {
      clearInterval(timer)
      if (await isOurs()) await rm(path, { force: true })
    }
  }
}

const nameOf = ({ process: { pid }, port }: ServiceFile): string =>
  port === undefined ? `process ${pid}` : `process ${pid}, on port ${port}`
