import { mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { hostname, uptime } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileLocked } from '../errors.js'
import { createKeyedQueue } from './keyed-queue.js'
import { readOwnText } from './own-file.js'
import { isAlive, isRunning, ownIdentity } from './process-identity.js'

const OWNER_ONLY = 0o600
const PRIVATE_FOLDER = 0o700
/** A change takes milliseconds; several queued ones on a slow SD card some seconds. */
const TIMEOUT_MS = 10_000
/** Delay between attempts; random, so that waiting processes do not collide repeatedly. */
const retryMs = () => 5 + Math.random() * 20
/** A lock is written right after it is created: one that stays empty was left by a crash. */
const WRITTEN_WITHIN_MS = 5_000
/** Of a process that cannot be inspected, such as one of a container that is gone: no work takes that long. */
const ABANDONED_MS = 3_600_000
/** On Windows also EPERM, while a file of that name is being deleted. */
const EXISTS = new Set(process.platform === 'win32' ? ['EEXIST', 'EPERM'] : ['EEXIST'])

/** Serialises work on one file within this process: only the first in the queue tries to get the lock. */
const queue = createKeyedQueue()

/**
 * Runs work that reads and changes a file, while no other process of ours does. A lock left by a crash is removed. The
 * work must not lock the same file again.
 * @throws PRN_ERR_FILE_LOCKED if the lock is not released in time; errors of creating the lock file
 */
export const withFileLock = <T>(path: string, work: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> =>
  queue.run(path, () => locked(path, work, timeoutMs))

async function locked<T> (path: string, work: () => Promise<T>, timeoutMs: number): Promise<T> {
  const lock = await lockPathOf(path)
  const { pid, realm, started } = ownIdentity()
  const token = [pid, hostname(), randomUUID(), started, encodeURIComponent(realm)].join(' ')
  await acquire(path, lock, token, timeoutMs)
  try {
    return await work()
  } finally {
    if (await textOf(lock) === token) await rm(lock, { force: true }).catch(() => {})
  }
}

/** The path of the lock: next to the file itself, with symbolic links resolved. */
async function lockPathOf (path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
  const real = await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)))
  return `${real}.lock`
}

async function acquire (path: string, lock: string, token: string, timeoutMs: number): Promise<void> {
  const endAt = performance.now() + timeoutMs
  const first = await textOf(lock)
  while (!await create(lock, token)) {
    if (await isStale(lock)) await remove(lock, isStale)
    if (performance.now() > endAt) {
      // Clocks of machines differ: it also stayed the same all the time that was waited for it.
      await remove(lock, async () => first !== undefined && await textOf(lock) === first && await isOld(lock))
      if (await create(lock, token)) return
      throw new FileLocked(path, lock)
    }
    await sleep(retryMs())
  }
}

/** @returns false if it exists */
async function create (path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx', OWNER_ONLY).catch((error: NodeJS.ErrnoException) => {
    if (!EXISTS.has(error.code ?? '')) throw error
  })
  if (file === undefined) return false
  try {
    await file.writeFile(text)
  } catch (error) {
    await rm(path, { force: true }).catch(() => {}) // a full disk still makes the empty file
    throw error
  } finally {
    await file.close()
  }
  return true
}

const textOf = (path: string) => readOwnText(path).catch(() => undefined)

const timeOf = (path: string) => stat(path).then(info => info.mtimeMs, () => undefined)

const isOld = async (lock: string): Promise<boolean> => Date.now() - (await timeOf(lock) ?? Infinity) > ABANDONED_MS

/** Whether the process that holds it has ended. Processes of other machines and containers count as running. */
async function isStale (lock: string): Promise<boolean> {
  const text = await textOf(lock)
  const madeAt = await timeOf(lock)
  if (text === undefined || madeAt === undefined) return false
  const [pid = '', host, , started = '', realm = ''] = text.split(' ')
  if (text === '') return Date.now() - madeAt > WRITTEN_WITHIN_MS
  if (host !== hostname()) return false
  const alive = isAlive({ pid: Number(pid), started, realm: decoded(realm) })
  if (alive !== undefined) return !alive
  if (madeAt < Date.now() - uptime() * 1000) return true // by now another program may have its number
  // In a container every start gets the same pid: a lock from before this start is stale.
  if (Number(pid) === process.pid) return madeAt < Date.now() - process.uptime() * 1000
  return !isRunning(Number(pid))
}

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '' // not written by us
  }
}

/** Removes a lock. One process at a time: a second one would remove the lock acquired after the first. */
async function remove (lock: string, isDue: (lock: string) => Promise<boolean>): Promise<void> {
  const guard = `${lock}.clearing`
  if (!await create(guard, '')) {
    const madeAt = await stat(guard).then(info => info.mtimeMs, () => Infinity)
    if (Date.now() - madeAt > WRITTEN_WITHIN_MS) await rm(guard, { force: true })
    return
  }
  try {
    if (await isDue(lock)) await rm(lock, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}
