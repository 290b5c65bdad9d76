import { randomUUID } from 'node:crypto'
import { BadInput, BUDGET_KINDS, type Cost, type DaemonContext, type Events } from '../../core/index.js'
import { costOnCard, plateCost, readHostProject } from '../projects/index.js'
import { plateIn } from './decide/index.js'
import { partsOn } from './parts.js'
import { MOST_COPIES } from './schemas.js'
import type { Store } from './store/index.js'
import type { Alternative, Job, SlicedFile } from './types.js'

type Context = Pick<DaemonContext, 'kernel' | 'services' | 'caller' | 'signal'>

/** A plate of a file in the library, among the uploads, or on the card of a printer. */
interface NamedPlate { readonly file: string, readonly plate?: number, readonly card?: string }

/** A job in bookings of budgets. */
export const paidJob = (id: string): string => `queue ${id}`

/** The dearest of the ways to print a copy; unknown if one of them is. */
const dearest = (costs: readonly Cost[]): Cost => Object.fromEntries(BUDGET_KINDS.map(kind => {
  const values = costs.map(cost => cost[kind])
  return [kind, values.includes(undefined) ? undefined : Math.max(0, ...values as number[])]
})) as Cost

const times = (cost: Cost, copies: number): Cost => Object.fromEntries(BUDGET_KINDS.map(kind => {
  const one = cost[kind]
  return [kind, copies === 0 ? 0 : one === undefined ? undefined : one * copies]
})) as Cost

async function costOf (context: Context, files: readonly SlicedFile[], way: NamedPlate): Promise<Cost> {
  const { file, plate = 1, card } = way
  const { kernel, services, caller, signal } = context
  if (card !== undefined) {
    const session = kernel.printers.resolve(card)
    return await costOnCard({ kernel, services, signal, session }, file, plate)
  }
  const known = files.find(({ id }) => id === file) ?? files.find(({ name }) => name === file)
  if (known) return plateCost(plateIn(known, { file, plate }) ?? {})
  const path = await services.files.hostFiles(caller).stored(file).catch(() => undefined)
  if (path === undefined) return plateCost({}) // refused by the operation, which says why
  return await readHostProject(path, async ({ plates }) =>
    plateCost(plates.find(({ number }) => number === plate) ?? {}))
}

/**
 * What copies of a job use at most.
 * @param copies with those that are printed again after a failure
 */
export async function costOfCopies (context: Context, ways: readonly NamedPlate[], copies: number): Promise<Cost> {
  const files = await context.services.queue.store.files()
  return times(dearest(await Promise.all(ways.map(way => costOf(context, files, way)))), copies)
}

interface Amount { readonly copies?: number, readonly parts?: number }

/**
 * How many copies are ordered, or give the parts that are ordered.
 * @throws PRN_ERR_BAD_INPUT when nobody knows how many parts a copy gives
 */
export function copiesOf (
  { copies = 1, parts }: Amount, files: readonly SlicedFile[], ways: readonly NamedPlate[]
): number {
  if (parts === undefined) return copies
  const fileOf = ({ file }: NamedPlate) => files.find(({ id, name }) => id === file || name === file)
  const counts = ways.map(way => partsOn(fileOf(way), { plate: way.plate ?? 1 }))
  const [first] = counts
  if (first === undefined) {
    throw new BadInput('It is unknown how many parts the plate gives: add the file to the sliced files again, or set the parts of its plate')
  }
  if (counts.some(count => count !== first)) throw new BadInput('The alternatives give other numbers of parts: queue copies')
  const needed = Math.ceil(parts / first)
  if (needed > MOST_COPIES) throw new BadInput(`${parts} parts take ${needed} copies; a job has ${MOST_COPIES} at most`)
  return needed
}

interface Changed { readonly copies?: number | undefined, readonly retries?: number | undefined }

/** How many more prints a change of a job allows. */
function addedPrints (job: Job, { copies = job.copies, retries = job.retries }: Changed, isRetried: boolean): number {
  if (isRetried) return job.copies - job.finished + job.retries
  return Math.max(0, copies - job.copies) + Math.max(0, retries - job.retries)
}

/** What a change of a job uses in addition. */
export async function spendingOfChange (context: Context, id: string, changed: Changed, isRetried: boolean) {
  const job = await context.services.queue.store.findJob(id)
  const ways: readonly Alternative[] = job.alternatives
  const cost = await costOfCopies(context, ways, addedPrints(job, changed, isRetried))
  return { id: `${paidJob(id)} ${randomUUID()}`, pays: paidJob(id), cost }
}

type Emit = (event: 'budget:used', ...of: Events['budget:used']) => void

/**
 * Once a job has ended, budgets get back the copies that were never sent. If the job cannot be read, they stay booked.
 */
export async function settleJob (events: { emit: Emit }, store: Pick<Store, 'findJob' | 'runsOf'>, id: string): Promise<void> {
  const job = await store.findJob(id).catch(() => undefined)
  if (job === undefined || job.state === 'open') return
  const runs = await store.runsOf([id]).catch(() => undefined)
  const sent = runs?.filter(run => run.sentAt !== undefined && run.state !== 'not_started')
  if (sent) events.emit('budget:used', paidJob(id), { prints: sent.length })
}
