import type { Kernel, PrinterSession } from '../../core/index.js'
import { NOTHING, plus, type Counters } from './counters.js'
import { dueOf, hoursLeft, type Due } from './due.js'
import type { DoneRow, PrinterRow, TaskRow } from './tables.js'
import type { Equipment } from './tasks.data.js'
import { appliesTo, tasksOf, type Task } from './tasks.js'
import type { MaterialUse } from './wear-store.js'

export interface TaskStatus extends Due {
  readonly task: Task
  /** Undefined: never, as far as is known. */
  readonly last: DoneRow | undefined
}

/** How a printer is looked after. */
export interface PrinterStatus {
  readonly printer: string
  readonly serial: string
  readonly model: string
  /** Since it was new: what was counted, and what a person entered. */
  readonly counters: Counters
  /** What was counted by this service. */
  readonly counted: Counters
  /** From before the record, as a person entered it; undefined: nobody has. */
  readonly before: Partial<Counters> | undefined
  /** Most first. */
  readonly materials: readonly MaterialUse[]
  /** The most urgent first. */
  readonly tasks: readonly TaskStatus[]
  /** Printing hours until a task is due by them; undefined without such a task. */
  readonly nextHours: number | undefined
}

/** What is stored. */
export interface Stored {
  readonly printers: ReadonlyMap<string, PrinterRow>
  readonly tasks: readonly TaskRow[]
  readonly lastDone: readonly DoneRow[]
  readonly counters: ReadonlyMap<string, Counters>
  /** By serial, most first. */
  readonly materials: ReadonlyMap<string, readonly MaterialUse[]>
}

export const doneKey = (serial: string, task: string): string => `${serial}\n${task}`

const equipmentOf = ({ model }: PrinterSession, row: PrinterRow | undefined): Equipment =>
  ({ model, hasAms: row?.has_ams === 1, hasDryer: row?.has_dryer === 1 })

export const beforeOf = (row: PrinterRow | undefined): Partial<Counters> | undefined =>
  row === undefined || row.before === '' ? undefined : JSON.parse(row.before)

function statusOf (session: PrinterSession, stored: Stored, tasks: readonly Task[], done: ReadonlyMap<string, DoneRow>,
  now: number): PrinterStatus {
  const { serial } = session.config
  const row = stored.printers.get(serial)
  const counted = stored.counters.get(serial) ?? NOTHING
  const before = beforeOf(row)
  const whole = plus(counted, before ?? {})
  const own = tasks.filter(task => appliesTo(task, serial, equipmentOf(session, row))).map((task): TaskStatus => {
    const last = done.get(doneKey(serial, task.id))
    // What was done is compared with what was counted then: entering earlier hours later on changes nothing of that.
    const due = last === undefined
      ? dueOf(task.every, whole, { at: row?.begun_at ?? now, counters: NOTHING }, now)
      : dueOf(task.every, counted, { at: last.at, counters: JSON.parse(last.counters) }, now)
    return { task, last, ...due }
  }).sort((a, b) => b.share - a.share)
  const hours = own.flatMap(task => hoursLeft(task) ?? [])
  return {
    printer: session.name,
    serial,
    model: session.model.model,
    counters: whole,
    counted,
    before,
    materials: stored.materials.get(serial) ?? [],
    tasks: own,
    nextHours: hours.length === 0 ? undefined : Math.min(...hours)
  }
}

/** Every printer with a session, in the order of the configuration. */
export function statusesOf ({ printers }: Pick<Kernel, 'printers'>, stored: Stored, now: number): PrinterStatus[] {
  const tasks = tasksOf(stored.tasks)
  const done = new Map(stored.lastDone.map(row => [doneKey(row.serial, row.task), row]))
  return printers.sessions.map(session => statusOf(session, stored, tasks, done, now))
}
