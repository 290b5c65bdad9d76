import { createHash, randomBytes } from 'node:crypto'
import { BadInput, NotConnected, type Kernel } from '../../core/index.js'
import { NOTHING, UNITS, type Counters, type Every } from './counters.js'
import { NoDoneTask, NoPhoto, NoTask, TooManyTasks } from './errors.js'
import type { TaskEvent } from './notices.js'
import type { Photos } from './photos.js'
import { statusesOf, type PrinterStatus, type Stored } from './status.js'
import type { DoneRow, TaskRow } from './tables.js'
import type { DoneFilter, TaskStore } from './task-store.js'
import { emptyRow, isBuiltIn, isOwn, printersIn, tasksOf, type Task } from './tasks.js'
import type { WearStore } from './wear-store.js'

const MINUTE_MS = 60_000
const YEAR_MS = 366 * 24 * 60 * MINUTE_MS
const MOST_OWN_TASKS = 100
const ID_DIGITS = 16

export interface ServiceDeps {
  readonly kernel: Pick<Kernel, 'printers' | 'now'>
  readonly tasks: TaskStore
  readonly wear: WearStore
  readonly photos: Photos
  readonly happened: (event: TaskEvent) => void
  /** Something that readers show has changed. */
  readonly changed: () => void
}

export interface DoneInput {
  readonly printer: string
  readonly tasks: readonly string[]
  /** ms since the epoch; left out: now. */
  readonly at?: number | undefined
  readonly note?: string | undefined
}

export interface TaskChange {
  readonly name?: string | undefined
  readonly why?: string | undefined
  readonly every?: Every | undefined
  /** Back to the built-in interval. */
  readonly isUsual?: boolean | undefined
  /** Names; empty: all. */
  readonly printers?: readonly string[] | undefined
  readonly blocks?: boolean | undefined
  readonly isOff?: boolean | undefined
}

/** The same for two taps, and for two services. */
const doneId = (serial: string, task: string, at: number): string =>
  createHash('sha256').update(JSON.stringify([serial, task, Math.floor(at / MINUTE_MS)])).digest('hex').slice(0, ID_DIGITS)

/** @throws PRN_ERR_BAD_INPUT */
function checkedEvery (every: Every): string {
  const given = UNITS.filter(unit => every[unit] !== undefined)
  if (given.length === 0) throw new BadInput('every must have at least one interval, such as { "hours": 300 }')
  return JSON.stringify(Object.fromEntries(given.map(unit => [unit, every[unit]])))
}

/** What is to do on printers, and what was done. */
export class Maintenance {
  readonly #deps: ServiceDeps
  #stored: Stored | undefined
  #statuses: readonly PrinterStatus[] = []
  /** Readings, counted as they begin; the last one that was used. */
  #begun = 0
  #applied = 0

  constructor (deps: ServiceDeps) { this.#deps = deps }

  /** It has been read since the start. */
  get isRead (): boolean { return this.#stored !== undefined }

  get photos (): Pick<Photos, 'read'> { return this.#deps.photos }

  /** Of printers with a session, as of the last reading. */
  get statuses (): readonly PrinterStatus[] { return this.#statuses }

  /** Costs nothing; undefined before the first reading. */
  statusOf (printer: string): PrinterStatus | undefined {
    return this.#statuses.find(status => status.printer === printer)
  }

  /** All tasks, also of printers that have none of them. */
  tasks (): Task[] { return tasksOf(this.#stored?.tasks ?? []) }

  /** Reads what is stored. @param isWhole also the counters, which take long in a large record */
  async read (isWhole = true): Promise<void> {
    const { kernel: { now, printers }, tasks, wear } = this.#deps
    await this.#addPrinters()
    const number = ++this.#begun
    const known = isWhole ? undefined : this.#stored
    const [rows, changed, lastDone, counters, materials] = await Promise.all([
      tasks.printers(), tasks.tasks(), tasks.lastDone(), known?.counters ?? wear.counters(),
      known?.materials ?? wear.materials()
    ])
    // One that began earlier and took longer does not know of a change since.
    if (number < this.#applied) return
    this.#applied = number
    this.#stored = { printers: new Map(rows.map(row => [row.id, row])), tasks: changed, lastDone, counters, materials }
    this.#statuses = statusesOf({ printers }, this.#stored, now())
  }

  /** @throws PRN_ERR_NOT_CONNECTED, PRN_ERR_NO_SUCH_TASK, PRN_ERR_BAD_INPUT */
  async markDone ({ printer, tasks: ids, at, note = '' }: DoneInput, by: string): Promise<DoneRow[]> {
    const { kernel: { now }, tasks, wear, happened } = this.#deps
    const { serial } = this.#configOf(printer)
    const when = Math.min(at ?? now(), now())
    const begunAt = this.#stored?.printers.get(serial)?.begun_at ?? now()
    if (when < begunAt - YEAR_MS) throw new BadInput('at is more than a year before this printer was seen first')
    const chosen = [...new Set(ids)].map(id => this.#taskOf(id))
    const counters = await wear.counters({ serial, ...at !== undefined && { until: when } })
    const rows = chosen.map(({ id, name }): DoneRow => ({
      id: doneId(serial, id, when),
      serial,
      printer,
      task: id,
      name,
      at: when,
      done_by: by,
      note,
      photo: 0,
      counters: JSON.stringify(counters.get(serial) ?? NOTHING),
      entered_at: now(),
      undone_at: null,
      undone_by: ''
    }))
    for (const { id, task, name } of await tasks.addDone(rows)) {
      happened({ kind: 'done', printer, task, name, key: `${id}:done`, at: when })
    }
    await this.#changed()
    return rows
  }

  /** @throws PRN_ERR_NO_SUCH_DONE_TASK */
  async undo (id: string, by: string): Promise<DoneRow> {
    const row = await this.findDone(id)
    await this.#deps.tasks.undo(id, this.#deps.kernel.now(), by)
    await this.#deps.photos.remove(id)
    await this.#changed()
    return row
  }

  /** @throws PRN_ERR_NO_SUCH_DONE_TASK */
  async findDone (id: string): Promise<DoneRow> {
    const row = await this.#deps.tasks.findDone(id)
    if (row === undefined) throw new NoDoneTask(id)
    return row
  }

  history (filter: DoneFilter): ReturnType<TaskStore['done']> { return this.#deps.tasks.done(filter) }

  /** @throws PRN_ERR_NO_SUCH_DONE_TASK, PRN_ERR_BAD_MAINTENANCE_PHOTO */
  async addPhoto (id: string, bytes: Buffer): Promise<void> {
    const { undone_at: undoneAt } = await this.findDone(id)
    if (undoneAt !== null) throw new NoDoneTask(id) // its photo would stay for good
    await this.#deps.photos.store(id, bytes)
    await this.#deps.tasks.hasPhoto(id)
    this.#deps.changed()
  }

  /** @throws PRN_ERR_NO_MAINTENANCE_PHOTO */
  async readPhoto (id: string): Promise<Buffer> {
    const jpeg = await this.#deps.photos.read(id)
    if (jpeg === undefined) throw new NoPhoto(id)
    return jpeg
  }

  /** @throws PRN_ERR_TOO_MANY_TASKS, PRN_ERR_BAD_INPUT, PRN_ERR_NOT_CONNECTED */
  async addTask (change: TaskChange & { readonly name: string, readonly every: Every }, by: string): Promise<Task> {
    if (this.tasks().filter(task => task.isOwn).length >= MOST_OWN_TASKS) throw new TooManyTasks(MOST_OWN_TASKS)
    return await this.#put(`own-${randomBytes(ID_DIGITS / 2).toString('hex')}`, change, by)
  }

  /** @throws PRN_ERR_NO_SUCH_TASK, PRN_ERR_BAD_INPUT, PRN_ERR_NOT_CONNECTED */
  async changeTask (id: string, change: TaskChange, by: string): Promise<Task> {
    const task = this.#taskOf(id)
    if (!task.isOwn && (change.name !== undefined || change.why !== undefined)) {
      throw new BadInput('name and why are of tasks of your own: a built-in task keeps its words')
    }
    return await this.#put(id, change, by)
  }

  /** Removes a task of one's own, and sets a built-in one back. @throws PRN_ERR_NO_SUCH_TASK */
  async removeTask (id: string, by: string): Promise<void> {
    const { tasks, kernel: { now } } = this.#deps
    this.#taskOf(id)
    if (isOwn(id)) await tasks.putTask(id, row => row && { ...row, archived: 1, changed_at: now(), changed_by: by })
    else await tasks.removeTask(id)
    await this.#changed()
  }

  /** What a printer had done before the record. @throws PRN_ERR_NOT_CONNECTED */
  async setBefore (printer: string, before: Partial<Counters>, by: string): Promise<PrinterStatus> {
    const { serial } = this.#configOf(printer)
    await this.#addPrinters()
    const isNothing = Object.values(before).every(value => !value)
    await this.#deps.tasks.changePrinter(serial, {
      before: isNothing ? '' : JSON.stringify(before), before_at: this.#deps.kernel.now(), before_by: by
    })
    await this.#changed()
    const status = this.statusOf(printer)
    if (status === undefined) throw new NotConnected(printer)
    return status
  }

  /** The first due task that holds the queue back. */
  blocking (printer: string): Task | undefined {
    return this.statusOf(printer)?.tasks.find(({ state, task }) => state === 'due' && task.blocks)?.task
  }

  async #put (id: string, change: TaskChange, by: string): Promise<Task> {
    const { name, why, every, isUsual, printers, blocks, isOff } = change
    const serials = printers?.map(printer => this.#configOf(printer).serial)
    const changed: Partial<TaskRow> = {
      ...(name !== undefined && { name }),
      ...(why !== undefined && { why }),
      ...(isUsual === true && isBuiltIn(id) && { every: '' }),
      ...(every !== undefined && { every: checkedEvery(every) }),
      ...(blocks !== undefined && { blocks: Number(blocks) }),
      ...(isOff !== undefined && { is_off: Number(isOff) }),
      changed_at: this.#deps.kernel.now(),
      changed_by: by
    }
    await this.#deps.tasks.putTask(id, (row = emptyRow(id)) =>
      ({ ...row, ...changed, ...serials && { printers: this.#serialsText(serials, row.printers) } }))
    await this.#changed()
    return this.#taskOf(id)
  }

  /** Printers that are not set up here were not asked about: they stay. */
  #serialsText (serials: readonly string[], before: string): string {
    const { printers } = this.#deps.kernel
    const here = new Set(printers.names.map(name => printers.config(name)?.serial))
    const others = (printersIn(before) ?? []).filter(serial => !here.has(serial))
    return serials.length === 0 ? '' : JSON.stringify([...new Set([...serials, ...others])])
  }

  #taskOf (id: string): Task {
    const task = this.tasks().find(one => one.id === id)
    if (task === undefined) throw new NoTask(id)
    return task
  }

  #configOf (printer: string) {
    const { printers } = this.#deps.kernel
    const config = printers.config(printer)
    if (config === undefined) throw new NotConnected(printer)
    return config
  }

  async #changed (): Promise<void> {
    await this.read(false)
    this.#deps.changed()
  }

  /** Printers that are seen for the first time, and units that they had not reported before. */
  async #addPrinters (): Promise<void> {
    const { kernel: { printers, now }, tasks } = this.#deps
    const known = this.#stored?.printers ?? new Map((await tasks.printers()).map(row => [row.id, row]))
    for (const { config: { serial }, state } of printers.sessions) {
      const units = state?.ams.units ?? []
      const [ams, dryer] = [Number(units.length > 0), Number(units.some(unit => unit.dryer !== undefined))]
      const row = known.get(serial)
      if (row === undefined) {
        await tasks.addPrinter({
          id: serial, begun_at: now(), has_ams: ams, has_dryer: dryer, before: '', before_at: null, before_by: ''
        })
      } else if (ams > row.has_ams || dryer > row.has_dryer) {
        await tasks.changePrinter(serial, {
          has_ams: Math.max(ams, row.has_ams), has_dryer: Math.max(dryer, row.has_dryer)
        })
      }
    }
  }
}
