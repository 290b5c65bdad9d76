import { Type } from 'typebox'
import { BadInput, NotConnected, operation, type DaemonContext } from '../../core/index.js'
import { BadPhoto, NoDoneTask, NoPhoto, NoTask, PhotosFull } from './errors.js'
import { Before, DoneView, Id, MaintenanceView, Note, PrinterName, PrinterView } from './schemas.js'
import type { DoneRow } from './tables.js'
import { positionOf } from './task-store.js'
import { countOf, doneView, printerView, taskView } from './views.js'

const MOST_ROWS = 200
const USUAL_ROWS = 50
const MOST_TASKS = 64

/** A printer that the caller may not know of does not exist for it. @throws PRN_ERR_NOT_CONNECTED */
export function requireVisible ({ sees }: Pick<DaemonContext, 'sees'>, printer: string): void {
  if (!sees(printer)) throw new NotConnected(printer)
}

type Seeing = Pick<DaemonContext, 'kernel' | 'sees'>

const serialsSeen = ({ kernel, sees }: Seeing): Map<string, string> => new Map(kernel.printers.names
  .filter(name => sees(name)).flatMap(name => {
    const serial = kernel.printers.config(name)?.serial
    return serial === undefined ? [] : [[serial, name] as const]
  }))

/**
 * What was done, if the caller may know of its printer: the name may be that of another one now, its serial never is.
 * @throws PRN_ERR_NO_SUCH_DONE_TASK
 */
export async function seenDone (context: Seeing, id: string): Promise<DoneRow> {
  const row = await context.kernel.services.maintenance.findDone(id)
  if (!serialsSeen(context).has(row.serial)) throw new NoDoneTask(id)
  return row
}

export const readMaintenance = operation({
  name: 'maintenance.read',
  summary: 'What is to do on printers, and what wore them',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    printer_name: Type.Optional(PrinterName),
    due: Type.Optional(Type.Boolean({ description: 'Only tasks that are due or soon due' }))
  }),
  output: MaintenanceView,
  async run (context, { printer_name: printer, due = false }) {
    const { sees, services: { maintenance } } = context
    if (!maintenance.isRead) await maintenance.read()
    const statuses = maintenance.statuses.filter(status =>
      sees(status.printer) && (printer === undefined || status.printer === printer))
      .map(status => due ? { ...status, tasks: status.tasks.filter(({ state }) => state !== 'ok') } : status)
    const names = serialsSeen(context)
    return {
      printers: statuses.map(printerView),
      tasks: maintenance.tasks().map(task => taskView(task, serial => names.get(serial))),
      due: countOf(statuses, 'due'),
      soon: countOf(statuses, 'soon')
    }
  }
})

export const countDue = operation({
  name: 'maintenance.count',
  summary: 'Number of due tasks of all printers',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ due: Type.Integer(), soon: Type.Integer() }),
  run ({ sees, services: { maintenance } }) {
    const statuses = maintenance.statuses.filter(({ printer }) => sees(printer))
    return { due: countOf(statuses, 'due'), soon: countOf(statuses, 'soon') }
  }
})

export const markDone = operation({
  name: 'maintenance.done',
  summary: 'Record that tasks of a printer were done',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The intervals of these tasks begin anew on that printer, and the queue may use it again. Nothing on the printer changes.',
  input: Type.Object({
    printer: PrinterName,
    tasks: Type.Array(Id, { minItems: 1, maxItems: MOST_TASKS, description: 'Ids of tasks' }),
    at: Type.Optional(Type.Integer({
      minimum: 0, description: 'When, ms since the epoch, at most a year before the printer was seen first; left out: now'
    })),
    note: Type.Optional(Note)
  }),
  output: Type.Object({ done: Type.Array(DoneView) }),
  errors: [NoTask],
  async run (context, { printer, tasks, at, note }) {
    requireVisible(context, printer)
    const { askedBy, services: { maintenance } } = context
    return { done: (await maintenance.markDone({ printer, tasks, at, note }, askedBy)).map(doneView) }
  }
})

export const undoDone = operation({
  name: 'maintenance.undo',
  summary: 'Take back that a task was done',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The interval counts on from the time before, and a photo of it is removed. Nothing on the printer changes.',
  input: Type.Object({ id: Id }),
  output: DoneView,
  errors: [NoDoneTask],
  async run (context, { id }) {
    const { askedBy, services: { maintenance } } = context
    await seenDone(context, id)
    await maintenance.undo(id, askedBy)
    return doneView(await maintenance.findDone(id))
  }
})

export const readHistory = operation({
  name: 'maintenance.history',
  summary: 'What was done, newest first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    printer_name: Type.Optional(PrinterName),
    task: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS })),
    cursor: Type.Optional(Type.String({ maxLength: 160, description: 'From the page before' }))
  }),
  output: Type.Object({
    done: Type.Array(DoneView),
    cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null at the end' })
  }),
  async run (context, { printer_name: printer, task, limit = USUAL_ROWS, cursor }) {
    const after = cursor === undefined ? undefined : positionOf(cursor)
    if (cursor !== undefined && after === undefined) throw new BadInput('cursor must be that of an earlier page')
    const serials = [...serialsSeen(context)].flatMap(([serial, name]) =>
      printer === undefined || name === printer ? serial : [])
    const { rows, cursor: next } = await context.services.maintenance.history({ serials, task, limit, after })
    return { done: rows.map(doneView), cursor: next }
  }
})

export const readPhoto = operation({
  name: 'maintenance.readPhoto',
  summary: 'The photo of something that was done',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ id: Id }),
  output: Type.Object({ jpeg: Type.Unsafe<Buffer>({}) }),
  errors: [NoDoneTask, NoPhoto],
  async run (context, { id }) {
    await seenDone(context, id)
    return { jpeg: await context.services.maintenance.readPhoto(id) }
  }
})

export const setBefore = operation({
  name: 'maintenance.setBefore',
  summary: 'Say what a printer had done before it was counted here',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The counters of that printer change, and tasks that were never recorded as done may become due. Nothing on the printer changes.',
  input: Type.Object({
    printer: PrinterName,
    before: { ...Before, description: 'What it had done; what is left out counts as nothing' }
  }),
  output: PrinterView,
  async run (context, { printer, before }) {
    requireVisible(context, printer)
    const { askedBy, services: { maintenance } } = context
    return printerView(await maintenance.setBefore(printer, before, askedBy))
  }
})

export const PHOTO_ERRORS = [BadPhoto, NoDoneTask, PhotosFull]
