import { Type, type Static } from 'typebox'
import { BadInput, unknownName, type Kernel } from '../../core/index.js'
import { SharedSettings, type Database, type Origin } from '../database/index.js'
import { GroupExists, GroupsFull, GroupStays, NoGroup } from './errors.js'
import { Group, type Options } from './options.js'
import { readPauses } from './store/pauses.js'
import { jobOf, type Db } from './store/tables.js'
import type { Job, Snapshot } from './types.js'
import { pauseOfGroup } from './view.js'

export const MOST_GROUPS = 64
/** Its printers are known by serial number: another one that is given the name of one is not in the group. */
const StoredGroup = Type.Object({
  ...Group.properties, serials: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'By name' }))
})
const Stored = Type.Object({ groups: Type.Array(StoredGroup) })
type StoredGroup = Static<typeof StoredGroup>
type Printers = Pick<Kernel['printers'], 'names' | 'config'>

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

const EMPTY: Omit<Group, 'name'> = { printers: [], spacingSeconds: 0, selfClearing: false }

const staysInWords = (stays: Stays): string => stays.code === 'paused'
  ? 'it is paused, and its printers could start at once; resume it first'
  : stays.code === 'jobs'
    ? `open jobs ask for it (${stays.count}); change or cancel them first`
    : `the page ${stays.by} names it; take it out there first`

function merged (known: Group, { hours: newHours, stopAfterFailures: newMost, ...change }: GroupChange): Group {
  const { hours: before, stopAfterFailures, ...rest } = { ...known, ...change }
  const hours = newHours === undefined ? before : newHours
  const most = newMost === undefined ? stopAfterFailures : newMost ?? undefined
  return { ...rest, ...hours && { hours }, ...most !== undefined && { stopAfterFailures: most } }
}

/** Groups with the present names of their printers. One that is unknown here keeps its name while no other has it. */
function groupsNow (stored: readonly StoredGroup[], { names, config }: Printers): readonly Group[] {
  const nameOf = new Map(names.map(name => [config(name)?.serial, name]))
  return stored.map(({ serials = {}, printers, ...group }) => ({
    ...group,
    printers: printers.flatMap(name => {
      const serial = serials[name]
      if (serial === undefined) return name
      return nameOf.get(serial) ?? (config(name) === undefined ? name : [])
    })
  }))
}

/** @param before stored until now, with the serial numbers of printers that are unknown here */
function groupsToStore (groups: readonly Group[], before: readonly StoredGroup[], { config }: Printers): StoredGroup[] {
  const known = Object.assign({}, ...before.map(({ serials }) => serials)) as StoredGroup['serials']
  return groups.map(group => {
    const serials = group.printers.flatMap(name => {
      const serial = config(name)?.serial ?? known?.[name]
      return serial === undefined ? [] : [[name, serial]]
    })
    return { ...group, serials: Object.fromEntries(serials) }
  })
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
  get all (): readonly Group[] { return groupsNow(this.#settings.value?.groups ?? [], this.#kernel.printers) }

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

  /** @param newName that its jobs keep it by @throws the same as the checks */
  async change (name: string, change: GroupChange, by: string, newName = name): Promise<void> {
    await this.#change(async (known, db) => {
      const before = this.checkChange(name, change, known)
      if (newName !== name) {
        this.#checkRenaming(name, newName, { isPaused: await this.#isPaused(name, db), known })
        await renameGroup(db, name, newName) // in the same transaction
      }
      return known.map(group => group === before ? merged({ ...group, name: newName }, change) : group)
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
    change: (known: readonly Group[], db: Db) => readonly Group[] | Promise<readonly Group[]>, by: string
  ): Promise<void> {
    await this.#settings.change(async (known, db) => {
      const before = known?.groups ?? []
      const { printers } = this.#kernel
      return { groups: groupsToStore(await change(groupsNow(before, printers), db), before, printers) }
    }, by)
  }

  /** Only those that are new: one that was removed since must not keep people from other changes. */
  #checkPrinters ({ printers = [] }: GroupChange, known: readonly string[]): void {
    const problem = unknownName('printer', printers.filter(name => !known.includes(name)), this.#kernel.printers.names)
    if (problem !== undefined) throw new BadInput(problem)
  }
}
