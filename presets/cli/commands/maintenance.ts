import type { Service } from '../service.js'
import { printable, table, type Row } from '../table.js'
import { connect, screen, type Screen } from './jobs.js'

interface Options { readonly config?: string }
export interface ListOptions extends Options { readonly all?: boolean, readonly json?: boolean }
export interface DoneOptions extends Options { readonly note?: string }
export interface HistoryOptions extends Options { readonly json?: boolean }

type Caller = Pick<Service, 'call'>

interface Task {
  readonly id: string
  readonly name: string
  readonly state: 'ok' | 'soon' | 'due'
  readonly share: number
  readonly progress: readonly { readonly unit: string, readonly used: number, readonly every: number }[]
}

interface Machine { readonly printer: string, readonly tasks: readonly Task[] }

interface Done {
  readonly id: string
  readonly printer: string
  readonly name: string
  readonly at: number
  readonly by: string
  readonly note: string
  readonly undone: boolean
}

const TONES = { due: 'bad', soon: 'warn', ok: 'good' } as const

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const progressOf = ({ progress: [first] }: Task): string => first === undefined
  ? ''
  : `${Math.round(first.used)} of ${Math.round(first.every)} ${first.unit.replaceAll('_', ' ')}`

/** What is due, of all printers. */
export async function listTasks (
  service: Caller, { say, colours }: Screen, printer: string | undefined, { all = false, json = false }: ListOptions
): Promise<void> {
  const { printers } = await service.call<{ printers: readonly Machine[] }>('GET', '/api/maintenance', {
    ...printer !== undefined && { printer_name: printer }, ...!all && { due: true }
  })
  if (json) return say(JSON.stringify(printers, null, 2))
  const tasks = printers.flatMap(machine => machine.tasks.map(task => ({ printer: machine.printer, task })))
    .sort((a, b) => b.task.share - a.task.share)
  if (tasks.length === 0) return say('Nothing is due.')
  const rows = tasks.map(({ printer, task }): Row =>
    [printer, task.id, task.name, progressOf(task), { text: task.state, tone: TONES[task.state] }])
  for (const line of table(rows, colours)) say(line)
}

export async function markDone (
  service: Caller, { say }: Screen, printer: string, tasks: readonly string[], { note }: DoneOptions
): Promise<void> {
  const { done } = await service.call<{ done: readonly Done[] }>('POST', '/api/maintenance/done', {
    printer, tasks: [...tasks], ...note !== undefined && { note }
  })
  for (const { id, name } of done) say(`${printable(name)}: done on ${printable(printer)} (prnd maintenance undo ${id})`)
}

export async function undoDone (service: Caller, { say }: Screen, id: string): Promise<void> {
  const { name, printer } = await service.call<Done>('DELETE', `/api/maintenance/done/${encodeURIComponent(id)}`)
  say(`${printable(name)} on ${printable(printer)}: taken back`)
}

export async function showHistory (
  service: Caller, { say, colours }: Screen, printer: string | undefined, { json = false }: HistoryOptions
): Promise<void> {
  const { done } = await service.call<{ done: readonly Done[] }>('GET', '/api/maintenance/history', {
    ...printer !== undefined && { printer_name: printer }
  })
  if (json) return say(JSON.stringify(done, null, 2))
  if (done.length === 0) return say('Nothing is recorded yet.')
  const rows = done.map(({ id, printer, name, at, by, note, undone }): Row =>
    [id, dayOf(at), printer, name, by, undone ? { text: 'taken back', tone: 'warn' } : note])
  for (const line of table(rows, colours)) say(line)
}

export async function list (printer: string | undefined, options: ListOptions): Promise<void> {
  await listTasks(await connect(options), screen(), printer, options)
}

export async function done (printer: string, tasks: readonly string[], options: DoneOptions): Promise<void> {
  await markDone(await connect(options), screen(), printer, tasks, options)
}

export async function undo (id: string, options: Options): Promise<void> {
  await undoDone(await connect(options), screen(), id)
}

export async function history (printer: string | undefined, options: HistoryOptions): Promise<void> {
  await showHistory(await connect(options), screen(), printer, options)
}
