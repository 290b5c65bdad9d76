import { Type } from 'typebox'
import { BadInput, unknownName, type Kernel } from '../../core/index.js'
import { SharedSettings, type Database, type Origin } from '../database/index.js'
import { GroupExists, GroupsFull, GroupStays, NoGroup } from './errors.js'
import { Group, type Options } from './options.js'
import { readPauses } from './store/pauses.js'
import { jobOf, type Db } from './store/tables.js'
import type { Job } from './types.js'
import { pauseOfGroup } from './view.js'

export const MOST_GROUPS = 64
const Stored = Type.Object({ groups: Type.Array(Group) })

/** What is to change of a group; null removes its hours. */
export interface GroupChange extends Partial<Omit<Group, 'name' | 'hours'>> { readonly hours?: Group['hours'] | null }

/** What keeps a group from being removed. */
export type Stays = { readonly code: 'paused' | 'named', readonly by?: string } | { readonly code: 'jobs', readonly count: number }

export interface GroupRegistryOptions {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly kernel: Pick<Kernel, 'now' | 'printers'>
  readonly inFile: Options['groups']
}

const EMPTY: Omit<Group, 'name'> = { printers: [], spacingSeconds: 0, selfClearing: false }

const staysInWords = (stays: Stays): string => stays.code === 'paused'
  ? 'it is paused, and its printers could start at once; resume it first'
  : stays.code === 'jobs'
    ? `open jobs ask for it (${stays.count}); change or cancel them first`
    : `the page ${stays.by} names it; take it out there first`

function merged (known: Group, { hours, ...change }: GroupChange): Group {
  const { hours: before, ...rest } = { ...known, ...change }
  const next = hours === undefined ? before : hours
  return { ...rest, ...next && { hours: next } }
}

/** Printers that belong together, as the configuration file or people on a page have grouped them. */
export class GroupRegistry {
  readonly #kernel: GroupRegistryOptions['kernel']
  readonly #settings: SharedSettings<typeof Stored>
  readonly #naming = new Map<string, (group: string) => boolean>()

  constructor ({ database, kernel, inFile }: GroupRegistryOptions) {
    this.#kernel = kernel
    this.#settings = new SharedSettings({
      database,
      table: 'queue_settings',
      id: 'groups',
      schema: Stored,
      now: kernel.now,
      inFile: inFile.length > 0 ? { groups: inFile } : undefined,
      option: 'plugins.queue.groups'
    })
  }

  /** As they were read last: each turn of the queue reads them. */
  get all (): readonly Group[] { return this.#settings.value?.groups ?? [] }

  get origin (): Origin { return this.#settings.origin }

  readIn (db: Db): Promise<unknown> { return this.#settings.readIn(db) }

  read (): Promise<unknown> { return this.#settings.read() }

  /**
   * Another page names groups: those are not removed.
   * @param page by which people know it @returns ends it
   */
  namedBy (page: string, names: (group: string) => boolean): () => void {
    this.#naming.set(page, names)
    return () => { this.#naming.delete(page) }
  }

  /** Why a group cannot be removed now; undefined: it can. */
  staysFor (name: string, jobs: readonly Job[], isPaused: boolean): Stays | undefined {
    if (isPaused) return { code: 'paused' }
    const count = jobs.filter(({ needs: { printers } }) => printers.includes(name)).length
    if (count > 0) return { code: 'jobs', count }
    const [by] = [...this.#naming].flatMap(([page, names]) => names(name) ? page : [])
    return by === undefined ? undefined : { code: 'named', by }
  }

  /** @throws PRN_ERR_SET_IN_FILE, PRN_ERR_QUEUE_GROUP_EXISTS, PRN_ERR_QUEUE_GROUPS_FULL, PRN_ERR_BAD_INPUT */
  checkNew (name: string, change: GroupChange, known = this.all): void {
    this.#settings.checkOpen()
    this.#checkPrinters(change, [])
    if (this.#kernel.printers.names.includes(name)) throw new BadInput(`name must be another one: '${name}' is a printer`)
    if (known.some(group => group.name === name)) throw new GroupExists(name)
    if (known.length >= MOST_GROUPS) throw new GroupsFull(MOST_GROUPS)
  }

  /** @throws PRN_ERR_SET_IN_FILE, PRN_ERR_NO_SUCH_GROUP, PRN_ERR_BAD_INPUT */
  checkChange (name: string, change: GroupChange, known = this.all): Group {
    this.#settings.checkOpen()
    const group = this.find(name, known)
    this.#checkPrinters(change, group.printers)
    return group
  }

  /** @throws PRN_ERR_NO_SUCH_GROUP */
  find (name: string, known = this.all): Group {
    const group = known.find(one => one.name === name)
    if (!group) throw new NoGroup(name)
    return group
  }

  async add (name: string, change: GroupChange, by: string): Promise<void> {
    await this.#change(known => {
      this.checkNew(name, change, known)
      return [...known, merged({ ...EMPTY, name }, change)]
    }, by)
  }

  async change (name: string, change: GroupChange, by: string): Promise<void> {
    await this.#change(known => {
      const before = this.checkChange(name, change, known)
      return known.map(group => group === before ? merged(group, change) : group)
    }, by)
  }

  /** @throws PRN_ERR_QUEUE_GROUP_STAYS */
  checkRemoval (name: string, stays: Stays | undefined, known = this.all): void {
    this.#settings.checkOpen()
    this.find(name, known)
    if (stays) throw new GroupStays(name, staysInWords(stays))
  }

  async remove (name: string, by: string): Promise<void> {
    await this.#change(async (known, db) => {
      this.checkRemoval(name, await this.#stays(name, db), known)
      return known.filter(group => group.name !== name)
    }, by)
  }

  async #stays (name: string, db: Db): Promise<Stays | undefined> {
    const open = await db.selectFrom('queue_jobs').selectAll().where('state', '=', 'open').execute()
    const until = (await readPauses(db)).get(pauseOfGroup(name)) ?? 0
    return this.staysFor(name, open.map(jobOf), until > this.#kernel.now())
  }

  async #change (
    change: (known: readonly Group[], db: Db) => readonly Group[] | Promise<readonly Group[]>, by: string
  ): Promise<void> {
    await this.#settings.change(async (known, db) => {
      return { groups: [...await change(known?.groups ?? [], db)] }
    }, by)
  }

  /** Only those that are new: one that was removed since must not keep people from other changes. */
  #checkPrinters ({ printers = [] }: GroupChange, known: readonly string[]): void {
    const problem = unknownName('printer', printers.filter(name => !known.includes(name)), this.#kernel.printers.names)
    if (problem !== undefined) throw new BadInput(problem)
  }
}
