import { COUNTERS, type Counters } from './counters.js'
import type { DoneView, PrinterView, TaskView } from './schemas.js'
import type { PrinterStatus, TaskStatus } from './status.js'
import type { DoneRow } from './tables.js'
import type { Task } from './tasks.js'

const hundredths = (value: number): number => Math.round(value * 100) / 100

const rounded = (counters: Counters): Counters =>
  Object.fromEntries(COUNTERS.map(name => [name, hundredths(counters[name])])) as unknown as Counters

const taskOf = ({ task, last, state, share, progress }: TaskStatus): PrinterView['tasks'][number] => ({
  id: task.id,
  name: task.name,
  why: task.why,
  state,
  share: Math.round(share * 1_000) / 1_000,
  progress: progress.map(({ unit, used, every }) => ({ unit, used: hundredths(used), every })),
  blocks: task.blocks,
  own: task.isOwn,
  last_done_at: last?.at ?? null,
  last_done_by: last?.done_by ?? ''
})

export const printerView = (status: PrinterStatus): PrinterView => ({
  printer: status.printer,
  model: status.model,
  counters: rounded(status.counters),
  before: status.before ?? null,
  materials: status.materials.map(({ material, grams }) => ({ material, grams: hundredths(grams) })),
  next_hours: status.nextHours === undefined ? null : hundredths(status.nextHours),
  tasks: status.tasks.map(taskOf)
})

/** @param nameOf the name of a printer by its serial; undefined: it is not configured, or not for the caller */
export const taskView = ({ id, name, why, every, isUsual, isOwn, printers, blocks, isOff }: Task,
  nameOf: (serial: string) => string | undefined): TaskView => ({
  id,
  name,
  why,
  every: { ...every },
  usual: isUsual,
  own: isOwn,
  printers: (printers ?? []).flatMap(serial => nameOf(serial) ?? []),
  elsewhere: (printers ?? []).some(serial => nameOf(serial) === undefined),
  blocks,
  off: isOff
})

export const doneView = (row: DoneRow): DoneView => {
  const { id, printer, task, name, at, done_by: by, note, photo, undone_at: undone } = row
  return { id, printer, task, name, at, by, note, photo: photo === 1, undone: undone !== null }
}

export const countOf = (statuses: readonly PrinterStatus[], state: TaskStatus['state']): number =>
  statuses.reduce((count, { tasks }) => count + tasks.filter(task => task.state === state).length, 0)
