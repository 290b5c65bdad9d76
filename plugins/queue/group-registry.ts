import { Type } from 'typebox'
import { BadInput, unknownName, type Kernel } from '../../core/index.js'
import { SharedSettings, type Database, type Origin } from '../database/index.js'
import { GroupExists, GroupsFull, GroupStays, NoGroup } from './errors.js'
import { groupsNow, serialsFor, StoredGroup, type KnownGroup, type PresentGroup } from './group-members.js'
import type { Group, Options } from './options.js'
import { readPauses } from './store/pauses.js'
import { jobOf, type Db } from './store/tables.js'
import type { Job, Snapshot } from './types.js'
import { pauseOfGroup } from './view.js'

export const MOST_GROUPS = 64
const Stored = Type.Object({ groups: Type.Array(StoredGroup) })
type Printers = Kernel['printers']

/** What is to change of a group; null removes its hours, and its number of failures. */
export interface GroupChange extends Partial<Omit<Group, 'name' | 'hours' | 'stopAfterFailures'>> {
  readonly hours?: Group['hours'] | null
  readonly stopAfterFailures?: number | null
}

/** What keeps a group from being removed. */
export type Stays = { readonly code: 'paused' | 'named', readonly by?: string } | { readonly code: 'jobs', readonly count: number }

export interface GroupRegistryOptions {
  readonly database: Pick<Database, 'query' | 'change'>
  readonly kernel: Pick<Kernel, 'now' | 'printers'>
  readonly inFile: Options['groups']
}

const EMPTY: Omit<KnownGroup, 'name'> = { printers: [], serials: {}, spacingSeconds: 0, selfClearing: false }

const staysInWords = (stays: Stays): string => stays.code === 'paused'
  ? 'it is paused, and its printers could start at once; resume it first'
  : stays.code === 'jobs'
    ? `open jobs ask for it (${stays.count}); change or cancel them first`
    : `the page ${stays.by} names it; take it out there first`

function merged (
  known: KnownGroup, { hours: newHours, stopAfterFailures: newMost, ...change }: GroupChange, printers: Printers
): KnownGroup {
  const { hours: before, stopAfterFailures, ...rest } = { ...known, ...change }
  const hours = newHours === undefined ? before : newHours
  const most = newMost === undefined ? stopAfterFailures : newMost ?? undefined
  const serials = serialsFor(rest.printers, known, printers)
  return { ...rest, serials, ...hours && { hours }, ...most !== undefined && { stopAfterFailures: most } }
}

/** All jobs that ask for a group do so by its new name, also those that have ended: they may be retried. */
async function renameInJobs (db: Db, from: string, to: string): Promise<void> {
  for (const { id, needs: text } of await db.selectFrom('queue_jobs').select(['id', 'needs']).execute()) {
    const needs = JSON.parse(text) as Job['needs']
    if (!needs.printers.includes(from)) continue
    const printers = [...new Set(needs.printers.map(name => name === from ? to : name))]
    await db.updateTable('queue_jobs').set({ needs: JSON.stringify({ ...needs, printers }) }).where('id', '=', id).execute()
  }
}

/** The time since its last start is kept: its next start must not come too early for a fuse. */
async function renameStart (db: Db, from: string, to: string): Promise<void> {
  const row = await db.selectFrom('queue_groups').selectAll().where('id', '=', from).executeTakeFirst()
  await db.deleteFrom('queue_groups').where('id', 'in', [from, to]).execute()
  if (row) await db.insertInto('queue_groups').values({ ...row, id: to }).execute()
}

/** What is stored by the name of a group, within a transaction. */
async function renameGroup (db: Db, from: string, to: string): Promise<void> {
  await renameInJobs(db, from, to)
  await renameStart(db, from, to)
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
  get all (): readonly PresentGroup[] {
    const groups = this.#settings.value?.groups ?? []
    if (this.#settings.origin === 'file') return groups // whoever writes the file names its printers there as well
    return groupsNow(groups, this.#kernel.printers).map(({ serials: _, ...group }) => group)
  }

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
    this.#checkName('name', name, known)
    if (known.length >= MOST_GROUPS) throw new GroupsFull(MOST_GROUPS)
  }

  /** @throws PRN_ERR_SET_IN_FILE, PRN_ERR_NO_SUCH_GROUP, PRN_ERR_BAD_INPUT */
  checkChange (name: string, change: GroupChange, known = this.all): PresentGroup {
    this.#settings.checkOpen()
    const group = this.find(name, known)
    this.#checkPrinters(change, group.printers)
    return group
  }

  /** @throws PRN_ERR_NO_SUCH_GROUP */
  find (name: string, known = this.all): PresentGroup {
    const group = known.find(one => one.name === name)
    if (!group) throw new NoGroup(name)
    return group
  }

  async add (name: string, change: GroupChange, by: string): Promise<void> {
    await this.#change(known => {
      this.checkNew(name, change, known)
      return [...known, merged({ ...EMPTY, name }, change, this.#kernel.printers)]
    }, by)
  }

  /** @param newName that its jobs keep it by @throws the same as the checks */
  async change (name: string, change: GroupChange, by: string, newName = name): Promise<void> {
    await this.#change(async (known, db) => {
      const before = this.checkChange(name, change, known)
      if (newName !== name) {
        this.#checkRenaming(name, newName, { isPaused: await this.#isPaused(name, db), known })
        await renameGroup(db, name, newName) // in the same transaction
      }
      const { printers } = this.#kernel
      return known.map(group => group === before ? merged({ ...group, name: newName }, change, printers) : group)
    }, by)
  }

  /** @throws PRN_ERR_QUEUE_GROUP_EXISTS, PRN_ERR_QUEUE_GROUP_STAYS, PRN_ERR_BAD_INPUT */
  checkRenaming (name: string, newName: string, { pauses }: Pick<Snapshot, 'pauses'>): void {
    const isPaused = (pauses.get(pauseOfGroup(name)) ?? 0) > this.#kernel.now()
    this.#checkRenaming(name, newName, { isPaused, known: this.all })
  }

  /** Jobs are renamed with it; a pause or another page would hold back a group that is gone. */
  #checkRenaming (
    name: string, newName: string, { isPaused, known }: { readonly isPaused: boolean, readonly known: readonly Group[] }
  ): void {
    this.#checkName('new_name', newName, known)
    const stays = this.staysFor(name, [], isPaused)
    if (stays) throw new GroupStays(name, staysInWords(stays))
  }

  #checkName (field: string, name: string, known: readonly Group[]): void {
    if (this.#kernel.printers.names.includes(name)) throw new BadInput(`${field} must be another one: '${name}' is a printer`)
    if (known.some(group => group.name === name)) throw new GroupExists(name)
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
    return this.staysFor(name, open.map(jobOf), await this.#isPaused(name, db))
  }

  async #isPaused (name: string, db: Db): Promise<boolean> {
    return ((await readPauses(db)).get(pauseOfGroup(name)) ?? 0) > this.#kernel.now()
  }

  async #change (
    change: (known: readonly KnownGroup[], db: Db) => readonly KnownGroup[] | Promise<readonly KnownGroup[]>, by: string
  ): Promise<void> {
    await this.#settings.change(async (known, db) => {
      const groups = await change(groupsNow(known?.groups ?? [], this.#kernel.printers), db)
      return { groups: groups.map(({ strangers: _, ...group }) => ({ ...group, serials: { ...group.serials } })) }
    }, by)
  }

  /** Only those that are new: one that was removed since must not keep people from other changes. */
  #checkPrinters ({ printers = [] }: GroupChange, known: readonly string[]): void {
    const problem = unknownName('printer', printers.filter(name => !known.includes(name)), this.#kernel.printers.names)
    if (problem !== undefined) throw new BadInput(problem)
  }
}
