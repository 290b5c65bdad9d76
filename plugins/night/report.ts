import { isActive, type DaemonContext, type Kernel, type Services } from '../../core/index.js'
import { listAlerts } from '../alertlog/index.js'
import type { AuditRow } from '../audit/index.js'
import type { PrintsEnergy } from '../energy/index.js'
import type { PrintView } from '../history/index.js'
import type { TaskStatus } from '../maintenance/index.js'
import type { QueueService } from '../queue/index.js'

export const DAY_MS = 86_400_000
/** A print may have begun so long before the report's time. */
const LONGEST_PRINT_MS = 7 * DAY_MS
const MOST = 50
const MOST_ACTS = 200
const MOST_JOBS = 200
/** Less is left than a usual part takes. */
const LOW_GRAMS = 50
/** Surfaces of plugins that act without a person at that moment. */
export const ALONE = ['rules', 'energy', 'drying', 'night', 'plate-change', 'queue', 'toolpath', 'automation'] as const

const SECONDS = 3_600

type Snapshot = Awaited<ReturnType<QueueService['store']['snapshot']>>

/** What was printed between two times. */
export interface Printed {
  readonly prints: number
  readonly finished: number
  readonly failed: number
  readonly cancelled: number
  readonly unknown: number
  readonly hours: number
  readonly grams: number
  /** In the currency of the prices; null when no price is known. */
  readonly cost: number | null
}

export interface Failure {
  readonly id: string
  readonly printer: string
  readonly name: string
  readonly result: string
  readonly why: string
}

interface OpenAlert { readonly at: string, readonly printer: string, readonly type: string }

interface LowSpool {
  readonly printer: string
  readonly place: string
  readonly material: string
  readonly left_g: number
}

interface DueTask { readonly printer: string, readonly task: string, readonly name: string, readonly own: boolean }

/** Something that was done without a person. */
interface Act {
  readonly at: number
  readonly who: string
  readonly surface: string
  readonly act: string
  readonly printer: string | null
  readonly outcome: string
}

export interface Report {
  /** ms since the epoch. */
  readonly from: number
  readonly until: number
  readonly printed: Printed
  /** Of these prints; null when none was measured. */
  readonly energy: PrintsEnergy | null
  readonly failures: readonly Failure[]
  readonly running: number
  readonly plates: readonly { readonly printer: string }[]
  readonly blocked: readonly { readonly job: string, readonly name: string, readonly reason: string }[]
  readonly spools: readonly LowSpool[]
  readonly maintenance: readonly DueTask[]
  /** Printers in the record that this service does not have: their spools and maintenance are not looked at. */
  readonly elsewhere: readonly string[]
  readonly alerts: { readonly count: number, readonly newest: readonly OpenAlert[] }
  readonly acted: readonly Act[]
}

const sum = (prints: readonly PrintView[], of: (print: PrintView) => number): number =>
  prints.reduce((total, print) => total + of(print), 0)
const rounded = (value: number): number => Math.round(value * 100) / 100

/** Sums over prints; pure. */
export function printedOf (prints: readonly PrintView[]): Printed {
  const count = (result: string) => prints.filter(print => print.result === result).length
  const costs = prints.flatMap(({ cost }) => cost ?? [])
  return {
    prints: prints.length,
    finished: count('finished'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    unknown: count('unknown'),
    hours: rounded(sum(prints, ({ printing_s: seconds }) => seconds) / SECONDS),
    grams: rounded(sum(prints, ({ filaments }) => filaments.reduce((total, { grams }) => total + (grams ?? 0), 0))),
    cost: costs.length === 0 ? null : rounded(costs.reduce((total, cost) => total + cost, 0))
  }
}

/** Faults as recorded, who stopped it, or what a person noted. */
function whyOf ({ faults, ended_by: by, note, percent }: PrintView): string {
  const words = [...faults.map(({ code, text }) => [code, text].filter(Boolean).join(' ')), note ?? ''].filter(Boolean)
  return words.length > 0 ? words.join('; ') : by !== '' ? `${by}, ${percent} %` : `${percent} %`
}

const failureOf = (print: PrintView): Failure =>
  ({ id: print.id, printer: print.printer, name: print.name, result: print.result, why: whyOf(print) })

async function printsBetween (
  { history }: Pick<Services, 'history'>, from: number, until: number, signal: AbortSignal
) {
  const ended: PrintView[] = []
  let running = 0
  const names = new Map<string, string>()
  for await (const print of history.since(from - LONGEST_PRINT_MS, until)) {
    signal.throwIfAborted()
    if (!names.has(print.serial)) names.set(print.serial, print.printer) // the newest is read first
    if (print.result === 'running') running++
    else if (print.ended_at !== null && print.ended_at > from && print.ended_at <= until) ended.push(print)
  }
  return { ended: ended.toSorted((a, b) => (a.ended_at ?? 0) - (b.ended_at ?? 0)), running, names }
}

/**
 * Printers of this service whose print still runs by the record, although it has ended or the printer is out of reach:
 * a report of now would not know how it went.
 */
export async function unrecordedEnds (
  { kernel: { printers, services: { history } }, signal }: Pick<DaemonContext, 'kernel' | 'signal'>, until: number
): Promise<string[]> {
  const names: string[] = []
  for await (const { result, printer } of history.since(until - DAY_MS - LONGEST_PRINT_MS, until)) {
    signal.throwIfAborted()
    const session = printers.get(printer)
    const state = session?.state
    const isSeen = session?.live === true && state !== undefined && isActive(state.job.gcodeState)
    if (result === 'running' && session !== undefined && !isSeen) names.push(printer)
  }
  return names
}

/** The printers of the record that this service does not have, by serial. */
function elsewhereOf ({ printers }: Pick<Kernel, 'printers'>, names: ReadonlyMap<string, string>): Map<string, string> {
  const own = new Set(printers.names.map(name => printers.config(name)?.serial))
  return new Map([...names].filter(([serial, name]) => !own.has(serial) && !printers.names.includes(name)))
}

/**
 * Plates with something on them while jobs wait for their printers, also of other services at the same database.
 * @param elsewhere names of their printers, by serial
 */
export function usedPlates ({ optional: { queue }, printers }: Pick<Kernel, 'optional' | 'printers'>,
  { jobs, plates, runs }: Snapshot, elsewhere: ReadonlyMap<string, string>): string[] {
  const busy = new Set(runs.map(({ serial }) => serial))
  const own = printers.names.filter(name => {
    const status = queue?.statusOf(name)
    const state = printers.get(name)?.state
    return status?.plate === 'used' && status.copies_wait && status.job === '' && state !== undefined && !isActive(state.job.gcodeState)
  })
  const waits = (name: string) => jobs.some(({ copies, taken, held, needs }) =>
    copies > taken && !held && (needs.printers.length === 0 || needs.printers.includes(name)))
  const others = [...elsewhere].filter(([serial, name]) =>
    plates.get(serial)?.state === 'used' && !busy.has(serial) && waits(name)).map(([, name]) => name)
  return [...own, ...others]
}

async function queueNeeds (kernel: Pick<Kernel, 'optional' | 'printers'>, elsewhere: ReadonlyMap<string, string>) {
  const queue = kernel.optional.queue
  if (queue === undefined) return { plates: [], blocked: [] }
  const snapshot = await queue.store.snapshot()
  const views = await queue.jobViews(snapshot.jobs.slice(0, MOST_JOBS), { isBrief: true })
  return {
    plates: usedPlates(kernel, snapshot, elsewhere).map(printer => ({ printer })),
    blocked: views.filter(({ state }) => state === 'blocked').slice(0, MOST)
      .map(({ id, name, reason }) => ({ job: id, name, reason }))
  }
}

async function lowSpools ({ optional: { spools } }: Pick<Kernel, 'optional'>): Promise<Report['spools']> {
  if (spools === undefined) return []
  await spools.known()
  return spools.slots().flatMap(slot => {
    const left = spools.gramsIn(slot)
    return left === undefined || left > LOW_GRAMS
      ? []
      : [{ printer: slot.printer, place: slot.place, material: slot.material, left_g: rounded(left) }]
  }).slice(0, MOST)
}

const dueTasks = ({ optional: { maintenance } }: Pick<Kernel, 'optional'>): Report['maintenance'] =>
  (maintenance?.statuses ?? []).flatMap(({ printer, tasks }) => tasks.filter(({ state }: TaskStatus) => state === 'due')
    .map(({ task }) => ({ printer, task: task.id, name: task.name, own: task.isOwn }))).slice(0, MOST)

async function openAlerts (kernel: Kernel): Promise<Report['alerts']> {
  if (!kernel.operations.has(listAlerts.name)) return { count: 0, newest: [] }
  const { alerts, unacknowledged } = await kernel.call(listAlerts, { open: true, limit: 10 })
  return { count: unacknowledged, newest: alerts.map(({ at, printer, type }) => ({ at, printer, type })) }
}

const actOf = ({ at, who, face: surface, act, printer, outcome }: AuditRow): Act =>
  ({ at, who, surface, act, printer, outcome })

/**
 * The report up to a time, from the same records as history, the queue and the audit log.
 * @param until ms since the epoch
 */
export async function reportUntil (context: Pick<DaemonContext, 'kernel' | 'signal'>, until: number): Promise<Report> {
  const { kernel, signal } = context
  const from = until - DAY_MS
  const [{ ended, running, names }, spools, alerts, acted] = await Promise.all([
    printsBetween(kernel.services, from, until, signal),
    lowSpools(kernel),
    openAlerts(kernel),
    kernel.optional.audit?.actsOf(ALONE, from, until, MOST_ACTS) ?? []
  ])
  const elsewhere = elsewhereOf(kernel, names)
  const [needs, energy] = await Promise.all([
    queueNeeds(kernel, elsewhere), kernel.optional.energy?.ofPrints(ended.map(({ id }) => id)) ?? null
  ])
  return {
    from,
    until,
    printed: printedOf(ended),
    energy,
    failures: ended.filter(({ result }) => result === 'failed' || result === 'unknown').slice(0, MOST).map(failureOf),
    running,
    ...needs,
    spools,
    maintenance: dueTasks(kernel),
    elsewhere: [...elsewhere.values()].slice(0, MOST),
    alerts,
    acted: acted.map(actOf)
  }
}
