import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileLocked } from '../errors.js'
import { createKeyedQueue } from './keyed-queue.js'
import { isRunning } from './process-identity.js'

const OWNER_ONLY = 0o600
const PRIVATE_FOLDER = 0o700
/** A change takes milliseconds; a queue of them on a slow card some seconds. */
const WITHIN_MS = 10_000
/** Between two tries; spread out, so that those who wait do not meet again and again. */
const retryMs = () => 5 + Math.random() * 20
/** Who takes a file writes its name into it at once: one that stays empty was left by a crash. */
const WRITTEN_WITHIN_MS = 5_000
/** Windows answers so while a file of that name is being deleted. */
const TAKEN = new Set(process.platform === 'win32' ? ['EEXIST', 'EPERM'] : ['EEXIST'])

/** Changes of one file within this process: only the first in the queue looks for the lock. */
const queue = createKeyedQueue()

/**
 * Reads and changes a file while no other process of ours does. Who crashed in the middle is taken for gone. It must
 * not be called again for the same file by the work itself.
 * @throws PRN_ERR_FILE_LOCKED when others do not let go in time; what making a file beside this one throws
 */
export const exclusively = <T>(path: string, work: () => Promise<T>, withinMs = WITHIN_MS): Promise<T> =>
  queue.run(path, () => locked(path, work, withinMs))

async function locked<T> (path: string, work: () => Promise<T>, withinMs: number): Promise<T> {
  const lock = await lockOf(path)
  const mine = `${process.pid} ${hostname()} ${randomUUID()}`
  await take(path, lock, mine, withinMs)
  try {
    return await work()
  } finally {
    if (await textOf(lock) === mine) await rm(lock, { force: true }).catch(() => {})
  }
}

/** Beside the file itself, by whatever links it was reached. */
async function lockOf (path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
  const real = await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)))
  return `${real}.lock`
}

async function take (path: string, lock: string, mine: string, withinMs: number): Promise<void> {
  const endAt = performance.now() + withinMs
  while (!await create(lock, mine)) {
    if (await isLeftOver(lock)) await clear(lock)
    if (performance.now() > endAt) throw new FileLocked(path, lock)
    await sleep(retryMs())
  }
}

/** @returns false when there is such a file */
async function create (path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: OWNER_ONLY })
    return true
  } catch (error) {
    if (TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)

/** Whether the process that took it is gone. Of another machine's or container's processes nothing is known. */
async function isLeftOver (lock: string): Promise<boolean> {
  const text = await textOf(lock)
  const madeAt = await stat(lock).then(info => info.mtimeMs, () => undefined)
  if (text === undefined || madeAt === undefined) return false
  const [pid = '', host] = text.split(' ')
  if (text === '') return Date.now() - madeAt > WRITTEN_WITHIN_MS
  if (host !== hostname()) return false
  // In a container every start has the same number: one from before this start is not ours.
  if (Number(pid) === process.pid) return madeAt < Date.now() - process.uptime() * 1000
  return !isRunning(Number(pid))
}

/** Removes what a crash left. One at a time: a second one would remove the lock that was taken after the first. */
async function clear (lock: string): Promise<void> {
  const guard = `${lock}.clearing`
  if (!await create(guard, '')) {
    const madeAt = await stat(guard).then(info => info.mtimeMs, () => Infinity)
    if (Date.now() - madeAt > WRITTEN_WITHIN_MS) await rm(guard, { force: true })
    return
  }
  try {
    if (await isLeftOver(lock)) await rm(lock, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}
