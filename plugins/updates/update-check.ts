import { Type } from 'typebox'
import { wordsOfFailure, type ConnectionEntry } from '../../core/index.js'
import { SharedSettings, type Database, type Kysely } from '../database/index.js'
import { newerThan, type Released } from './registry.js'
import type { AnswerRow, Tables } from './tables.js'

type Db = Kysely<Tables>

const DAY_MS = 86_400_000
/** So that services that were started together do not ask together. */
const JITTER_MS = 3 * 3_600_000
const LONGEST_PROBLEM = 300

const Stored = Type.Object({ check: Type.Boolean() })

export interface UpdateCheckOptions {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
  /** Of this service. */
  readonly running: string
  readonly registry: URL
  /** What the configuration file says; undefined: people choose on a page. */
  readonly inFile: boolean | undefined
  readonly ask: () => Promise<Released>
  /** Lists the registry among what the service connects to, while it is asked. */
  readonly connect: () => ConnectionEntry
  /** Aborted when the service ends. */
  readonly signal: AbortSignal
  /** Whether somebody can be told. */
  readonly canTell: () => boolean
  readonly tell: (version: string) => void
}

/** What is known of newer versions. */
export interface Known {
  readonly isOn: boolean
  /** Null: none that is newer, as far as is known. */
  readonly newest: string | null
  readonly askedAt: number | null
  readonly nextAt: number | null
  readonly problem: string | null
}

/**
 * Asks a registry once a day for newer versions, if somebody wants that, and tells of each one once. Services on one
 * database ask and tell together.
 */
export class UpdateCheck {
  readonly settings: SharedSettings<typeof Stored>
  readonly #options: UpdateCheckOptions
  #looking: Promise<void> | undefined
  #connection: ConnectionEntry | undefined

  constructor (options: UpdateCheckOptions) {
    const { database, now, inFile } = options
    this.#options = options
    this.settings = new SharedSettings({
      database,
      now,
      table: 'updates_settings',
      id: 'check',
      schema: Stored,
      inFile: inFile === undefined ? undefined : { check: inFile },
      option: 'plugins.updates.check'
    })
  }

  /** Asks if it is time to, and tells what is new. Never does both twice at once. @throws the database's errors */
  look (): Promise<void> {
    this.#looking ??= this.#look().finally(() => { this.#looking = undefined })
    return this.#looking
  }

  /** Resolves when nothing is under way. */
  async settled (): Promise<void> { await this.#looking?.catch(() => {}) }

  async known (): Promise<Known> {
    const isOn = await this.#isOn()
    const row = await this.#row()
    return {
      isOn,
      newest: isOn && row ? newerThan(this.#options.running, row) : null,
      askedAt: row?.asked_at ?? null,
      nextAt: isOn && row ? row.next_at : null,
      problem: isOn ? row?.problem ?? null : null
    }
  }

  async #look (): Promise<void> {
    if (!await this.#isOn()) {
      this.#connection?.remove()
      this.#connection = undefined
      return
    }
    this.#connection ??= this.#options.connect()
    if (await this.#claim()) await this.#ask(this.#connection)
    await this.#tell()
  }

  async #isOn (): Promise<boolean> { return (await this.settings.read())?.check ?? false }

  async #row (): Promise<AnswerRow | undefined> {
    const row = await this.#options.database.query((db: Db) =>
      db.selectFrom('updates_answers').selectAll().where('id', '=', this.#id).executeTakeFirst())
    const asked = row?.asked_at ?? null
    return row && { ...row, next_at: Number(row.next_at), asked_at: asked === null ? null : Number(asked) }
  }

  get #id (): string { return this.#options.registry.href }

  /** Only one service gets the turn of a day; one that fails has had it, too. */
  #claim (): Promise<boolean> {
    const { database, now, random } = this.#options
    const at = now()
    const next = at + DAY_MS + Math.round(random() * JITTER_MS)
    return database.change(async (db: Db) => {
      const row = await db.selectFrom('updates_answers').select('next_at').where('id', '=', this.#id).executeTakeFirst()
      const due = Number(row?.next_at ?? 0)
      if (due > at && due <= at + DAY_MS + JITTER_MS) return false // a later one is from a clock that was wrong
      if (row === undefined) await db.insertInto('updates_answers').values({ id: this.#id, next_at: next }).execute()
      else await db.updateTable('updates_answers').set({ next_at: next }).where('id', '=', this.#id).execute()
      return true
    })
  }

  async #ask (connection: ConnectionEntry): Promise<void> {
    const { database, now, ask, signal } = this.#options
    let answer: Partial<AnswerRow>
    try {
      const { stable, preview } = await ask()
      connection.connected()
      answer = { stable, preview, problem: null }
    } catch (error) {
      if (signal.aborted) return
      connection.failed(error)
      answer = { problem: wordsOfFailure(error).slice(0, LONGEST_PROBLEM) } // what was known stays
    }
    await database.query((db: Db) => db.updateTable('updates_answers')
      .set({ asked_at: now(), ...answer }).where('id', '=', this.#id).execute())
  }

  async #tell (): Promise<void> {
    const { database, now, running, canTell, tell } = this.#options
    const row = await this.#row()
    const version = row ? newerThan(running, row) : null
    if (version === null || !canTell()) return
    const isNew = await database.change(async (db: Db) => {
      const told = await db.selectFrom('updates_told').select('id').where('id', '=', version).executeTakeFirst()
      if (told) return false
      await db.insertInto('updates_told').values({ id: version, at: now() }).execute()
      return true
    })
    if (isNew) tell(version)
  }
}
