import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { TSchema } from 'typebox'
import { createKeyedQueue } from '../../core/index.js'
import { configurationIn, contentsOf } from './contents.js'
import { NoBackup } from './errors.js'
import { writeBackup } from './file.js'

const ID_BYTES = 16
/** How long a backup waits to be downloaded. */
const KEEP_MS = 3_600_000
const OURS = /^[0-9a-f]{32}\.backup/

export interface MadeBackup {
  /** Part of the download's address; cannot be guessed. */
  readonly id: string
  /** Name for the downloaded file. */
  readonly file: string
  /** Bytes. */
  readonly size: number
  /** ms since the epoch. */
  readonly made_at: number
  /** Rows of the database. */
  readonly rows: number
  /** Keys of the configuration that were left out, because they are secrets. */
  readonly left_out: string[]
}

/** What a backup is made of. */
export interface BackupSources {
  readonly dataDir: string
  readonly configFile: string
  readonly databaseUrl: string | undefined
  /** Of the whole configuration, which says what is secret. */
  readonly schema: () => TSchema
}

export interface BackupMakerDeps extends BackupSources {
  /** Where backups wait for their download. */
  readonly folder: string
  readonly now: () => number
}

/**
 * Writes a backup without secrets.
 * @returns the number of rows, and the keys of the configuration that were left out
 * @throws Error if the database or the disk fails, and the signal's reason
 */
export async function writeWithoutSecrets (
  { dataDir, databaseUrl, configFile, schema }: BackupSources, path: string, signal?: AbortSignal
): Promise<{ rows: number, left: string[] }> {
  const { text, left } = await configurationIn(configFile, schema())
  let rows = 0
  const lines = contentsOf({
    dataDir,
    databaseUrl,
    configuration: text,
    codes: false,
    onRows (part) {
      signal?.throwIfAborted()
      rows += part.rows.length
    }
  })
  await writeBackup(path, { force: true, lines })
  return { rows, left }
}

/** Makes backups without secrets, and keeps the newest until it was not needed for an hour. */
export class BackupMaker {
  readonly #deps: BackupMakerDeps
  readonly #queue = createKeyedQueue()
  #made: MadeBackup | undefined
  #timer: NodeJS.Timeout | undefined

  constructor (deps: BackupMakerDeps) {
    this.#deps = deps
  }

  get made (): MadeBackup | undefined { return this.#made }

  /** One at a time; it replaces the last one. @throws Error if the database or the disk fails */
  make (): Promise<MadeBackup> {
    return this.#queue.run('', async () => {
      await this.#discard()
      const id = randomBytes(ID_BYTES).toString('hex')
      const { rows, left } = await writeWithoutSecrets(this.#deps, this.#pathOf(id))
      const { size } = await stat(this.#pathOf(id))
      const at = this.#deps.now()
      this.#made = {
        id, file: `prnd-${new Date(at).toISOString().slice(0, 10)}.backup`, size, made_at: at, rows, left_out: left
      }
      this.#timer = setTimeout(() => { this.discard().catch(() => {}) }, KEEP_MS).unref()
      return this.#made
    })
  }

  /** @throws PRN_ERR_NO_BACKUP */
  open (id: string): { readonly made: MadeBackup, readonly body: Readable } {
    const made = this.#made
    if (made === undefined || made.id !== id) throw new NoBackup()
    return { made, body: createReadStream(this.#pathOf(id)) }
  }

  /** Removes what waits, also of a service that was killed. */
  discard (): Promise<void> { return this.#queue.run('', () => this.#discard()) }

  async #discard (): Promise<void> {
    clearTimeout(this.#timer)
    this.#made = undefined
    const { folder } = this.#deps
    for (const name of await readdir(folder)) if (OURS.test(name)) await rm(join(folder, name), { force: true })
  }

  #pathOf (id: string): string { return join(this.#deps.folder, `${id}.backup`) }
}
