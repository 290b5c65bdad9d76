import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { createKeyedQueue, type ConnectionEntry, type JsonStore } from '../../core/index.js'
import type { Database, TableRows } from '../database/index.js'
import { writeWithoutSecrets, type BackupSources } from './backup-maker.js'
import { checkBackup, entriesOf } from './file.js'

/** When backups are made by themselves, and how many are kept. */
export const NightlyPlan = Type.Object({
  on: Type.Boolean(),
  /** From this hour on, in the time zone of the machine. */
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  keep: Type.Integer({ minimum: 1, maximum: 400 })
})
export type NightlyPlan = Readonly<Static<typeof NightlyPlan>>
export const USUAL_PLAN: NightlyPlan = { on: false, hour: 3, keep: 14 }

const LOOK_EVERY_MS = 300_000
const RETRY_AFTER_MS = 3_600_000
const OURS = /^prnd-\d{4}-\d\d-\d\d\.backup$/
/** Of a service that was killed while it wrote. */
const UNFINISHED = /^prnd-untried\.backup\.[0-9a-f]+\.part$/
/** Under this name until it was restored for a trial; what stays under it could not be. */
const UNTRIED = 'prnd-untried.backup'

const MIB = 1024 ** 2
/** A backup is compressed to about a tenth of the tables. */
const MOST_GROWTH = 15
const SPARE_BYTES = 256 * MIB

/** The day in the machine's time zone, as `2026-11-29`. */
const dayOf = (at: number): string => new Date(at).toLocaleDateString('sv')

const nameOf = (day: string): string => `prnd-${day}.backup`

export interface NightlyState extends NightlyPlan {
  readonly folder: string
  /** It could be restored when it was made. */
  readonly newest: { readonly file: string, readonly size: number, readonly made_at: number } | null
  readonly problem: string | null
}

export interface NightlyBackupsDeps extends BackupSources {
  /** Where backups stay. */
  readonly folder: string
  /** Whether the folder is made if it is not there; one of somebody's choice may be on a disk that is away. */
  readonly makesFolder: boolean
  /** Where one is restored to see whether that works; emptied. */
  readonly trialFolder: string
  /** Bytes that are free where a path is. */
  readonly freeAt: (path: string) => Promise<number>
  readonly plan: JsonStore<NightlyPlan>
  readonly database: Pick<Database, 'tryLoad'>
  /** Lists it among the connections, while it is switched on. */
  readonly connect: () => ConnectionEntry
  /** Is given the day, as `2026-11-29`, and words without secrets. */
  readonly onFailed: (error: unknown, day: string, words: string) => void
  readonly redact: (text: string) => string
  readonly signal: AbortSignal
  readonly now: () => number
}

async function * tablesIn (path: string, signal: AbortSignal): AsyncGenerator<TableRows> {
  for await (const entry of entriesOf(path)) {
    signal.throwIfAborted()
    if ('table' in entry) yield entry
  }
}

/** The service and its recordings need the room more. @throws Error if a trial could fill the disk */
export async function checkRoom (path: string, free: number): Promise<void> {
  const needed = (await stat(path)).size * MOST_GROWTH + SPARE_BYTES
  if (free >= needed) return
  const inMiB = (bytes: number) => Math.ceil(bytes / MIB)
  throw new Error(`it could not be tried: ${inMiB(needed)} MiB must be free in the data folder, and ${inMiB(free)} are`)
}

/** Makes a backup each day, restores it for a trial, and deletes the oldest. */
export class NightlyBackups {
  readonly #deps: NightlyBackupsDeps
  readonly #queue = createKeyedQueue()
  readonly #timer: NodeJS.Timeout
  #entry: ConnectionEntry | undefined
  #problem: string | undefined
  /** ms since the epoch. */
  #retryAt = 0

  constructor (deps: NightlyBackupsDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => { void this.look() }, LOOK_EVERY_MS).unref()
  }

  /** Makes the backup of today if it is time and it is not there. After a failure it is tried again in an hour. */
  look (): Promise<void> {
    return this.#queue.run('', async () => {
      const { plan, folder, now, connect, onFailed, redact, signal } = this.#deps
      const { on, hour } = plan.get()
      if (!on) {
        this.#entry?.remove()
        this.#entry = undefined
      }
      const at = now()
      const day = dayOf(at)
      const name = nameOf(day)
      if (!on || signal.aborted || new Date(at).getHours() < hour || at < this.#retryAt) return
      if ((await this.#names()).includes(name)) return
      this.#entry ??= connect()
      try {
        await this.#make(join(folder, name))
        this.#problem = undefined
        this.#entry.connected()
      } catch (error) {
        if (signal.aborted) return
        this.#problem = redact((error as Error).message)
        this.#retryAt = at + RETRY_AFTER_MS
        this.#entry.failed(error)
        onFailed(error, day, this.#problem)
      }
    })
  }

  async change (changes: Partial<NightlyPlan>): Promise<void> {
    const { plan } = this.#deps
    await plan.set({ ...plan.get(), ...changes })
    this.#retryAt = 0
    await this.look()
  }

  async state (): Promise<NightlyState> {
    const { plan, folder } = this.#deps
    const file = (await this.#names()).at(-1)
    const found = file === undefined ? undefined : await stat(join(folder, file)).catch(() => undefined)
    return {
      ...plan.get(),
      folder,
      newest: file !== undefined && found !== undefined
        ? { file, size: found.size, made_at: Math.round(found.mtimeMs) }
        : null,
      problem: this.#problem ?? null
    }
  }

  /** Resolves when nothing is being written. */
  async close (): Promise<void> {
    clearInterval(this.#timer)
    await this.#queue.run('', async () => {})
  }

  /** Of the backups, oldest first; without those that a clock which was ahead has named. */
  async #names (): Promise<string[]> {
    const today = nameOf(dayOf(this.#deps.now()))
    return (await readdir(this.#deps.folder).catch(() => [])).filter(name => OURS.test(name) && name <= today).sort()
  }

  async #make (path: string): Promise<void> {
    const { folder, makesFolder, signal, plan } = this.#deps
    if (makesFolder) await mkdir(folder, { recursive: true, mode: 0o700 })
    const there = await readdir(folder).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(code === 'ENOENT' ? `there is no folder ${folder}` : `${folder} cannot be read (${code})`)
    })
    for (const name of there) if (UNFINISHED.test(name)) await rm(join(folder, name), { force: true })
    const untried = join(folder, UNTRIED)
    await writeWithoutSecrets(this.#deps, untried, signal)
    await this.#tryRestore(untried)
    await rename(untried, path)
    const old = (await this.#names()).slice(0, -plan.get().keep)
    for (const name of old) await rm(join(folder, name), { force: true })
  }

  /** @throws Error if the backup cannot be restored */
  async #tryRestore (path: string): Promise<void> {
    const { trialFolder, freeAt, database, signal } = this.#deps
    const empty = () => rm(trialFolder, { recursive: true, force: true })
    await empty()
    await mkdir(trialFolder, { recursive: true, mode: 0o700 })
    try {
      await checkRoom(path, await freeAt(trialFolder))
      const { versions } = await checkBackup(path)
      await database.tryLoad(trialFolder, { versions, rows: tablesIn(path, signal), onRows () {} })
    } finally {
      await empty()
    }
  }
}
