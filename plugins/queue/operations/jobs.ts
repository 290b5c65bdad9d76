import { randomUUID } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { BadInput, operation, refuseSeconds, unknownName, type DaemonContext } from '../../../core/index.js'
import { jobGroups } from '../board/index.js'
import { plateIn } from '../decide/index.js'
import { JobEnded, NoJob, NoSlicedFile, NotSliced, QueueFull, TooManyCopies } from '../errors.js'
import { copiesOf, costOfCopies, paidJob, settleJob, spendingOfChange } from '../job-cost.js'
import { LONGEST_MINUTES, USUAL_MINUTES } from '../soak/limits.js'
import { usualSoak } from '../soak/usual.js'
import { JobFields, JobId, JobView, LAST_MS, MaybeSoak, MOST_COPIES, MOST_NOTE, QueueView, type SoakFields } from '../schemas.js'
import { JOB_ENDS, type Alternative, type Job, type SlicedFile, type Soak } from '../types.js'
import type { JobChanges } from '../store/index.js'
import { CARD_ERRORS, FileMissing } from '../../files/index.js'
import { AcceptFindings, MOST_PLATES } from '../../projects/index.js'
import { fileFrom } from './files.js'

export const MOST_LISTED = 200
const MOST_SKIPPED = 10_000
const USUAL = 50

type Context = Pick<DaemonContext, 'kernel' | 'services' | 'askedBy'>
type JobInput = Static<ReturnType<typeof Type.Object<typeof JobFields>>>

function checkPlate (file: SlicedFile, alternative: Alternative): void {
  const plate = plateIn(file, alternative)
  if (plate?.printable === true) return
  const plates = file.plates.filter(({ printable }) => printable).map(({ number }) => number).join(', ')
  if (alternative.plate > MOST_PLATES) {
    throw new NotSliced(`plate ${alternative.plate} of '${file.name}' is not read: only plates 1 to ${MOST_PLATES} are; ` +
      `of these it has ${plates}`)
  }
  throw new NotSliced(`'${file.name}' has no sliced plate ${alternative.plate}; it has ${plates}`)
}

/** @throws PRN_ERR_NO_SLICED_FILE, PRN_ERR_NOT_SLICED, PRN_ERR_BAD_INPUT for one that is named twice */
async function alternativesOf (context: DaemonContext, { file, card, plate = 1, alternatives = [] }: JobInput):
Promise<{ name: string, alternatives: Alternative[] }> {
  const found: Alternative[] = []
  let name = ''
  for (const wanted of [{ file, plate, ...(card !== undefined && { card }) }, ...alternatives]) {
    const sliced = await fileFrom(context, wanted)
    const alternative = { file: sliced.id, plate: wanted.plate ?? 1 }
    checkPlate(sliced, alternative)
    if (found.some(other => other.file === alternative.file && other.plate === alternative.plate)) {
      throw new BadInput(`Plate ${alternative.plate} of '${sliced.name}' is named twice; alternatives must be others`)
    }
    name ||= sliced.name
    found.push(alternative)
  }
  return { name: name.replace(/\.3mf$/i, '').replace(/\.gcode$/i, ''), alternatives: found }
}

const soakOf = ({ bed, chamber, minutes = USUAL_MINUTES, otherwise = 'ask' }: SoakFields): Soak =>
  ({ bedC: bed, chamberC: chamber ?? 0, minutes, otherwise })

/** What is done before each copy starts, for a dry run. */
const soakText = ({ bedC, chamberC, minutes, otherwise }: Soak): string =>
  `the bed is heated to ${bedC} °C${chamberC > 0 ? `, the chamber has at least ${chamberC} °C` : ''}, for ${minutes} min; ` +
  `if that is not reached within ${LONGEST_MINUTES} min in all, ` +
  (otherwise === 'start' ? 'it is printed as warm as it is' : 'what was heated is switched off and the job held')

function checkPrinters ({ kernel, services }: Context, wanted: readonly string[]): void {
  const known = [...kernel.printers.names, ...services.queue.groups.map(({ name }) => name)]
  const problem = unknownName('printer or group', wanted, known)
  if (problem !== undefined) throw new BadInput(problem)
}

const one = async ({ services: { queue } }: Context, job: Job): Promise<JobView> => {
  const [view] = await queue.jobViews([job])
  if (!view) throw new NoJob(job.id)
  return view
}

export const queueJob = operation({
  name: 'queue.add',
  summary: 'Queue copies of a sliced file; they start by themselves',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'Suitable printers whose plate was confirmed clear print it without further confirmation. With `soak`, or where the table of ' +
    'materials says so, they are heated for up to an hour before.',
  input: Type.Object(JobFields),
  output: JobView,
  errors: [NoSlicedFile, NotSliced, QueueFull, TooManyCopies, ...CARD_ERRORS, FileMissing],
  async spends (context, input) {
    const { file, plate = 1, card, alternatives = [], retries = 0 } = input
    const ways = [{ file, plate, ...(card !== undefined && { card }) }, ...alternatives]
    const copies = copiesOf(input, await context.services.queue.store.files(), ways)
    const cost = await costOfCopies(context, ways, copies + retries)
    const id = `queue ${randomUUID()}`
    return { id, pays: id, cost, input, isUnspent: () => true, paysFor: ({ id: job }) => paidJob(job) }
  },
  /** Files that are not in the library yet are added by the call only, and read then. */
  async preview (context, wanted) {
    refuseSeconds({ not_before: wanted.not_before })
    checkPrinters(context, wanted.printers ?? [])
    const { store, warming } = context.services.queue
    const files = await store.files()
    for (const way of [wanted, ...wanted.alternatives ?? []]) {
      const file = way.card === undefined && files.find(({ id, name }) => id === way.file || name === way.file)
      if (file) checkPlate(file, { file: file.id, plate: way.plate ?? 1 })
    }
    await warming.read()
    const isKnown = ({ id, name }: SlicedFile) => id === wanted.file || name === wanted.file
    const known = wanted.card === undefined ? files.find(isKnown) : undefined
    const plate = plateIn(known, { file: '', plate: wanted.plate ?? 1 })
    const usual = wanted.soak === undefined && plate && usualSoak(warming.table, plate)
    const soak = usual || (wanted.soak && soakOf(wanted.soak))
    const text = soak && `${usual ? 'by the table of materials, as far as the printer can: ' : ''}${soakText(soak)}`
    return { checked: ['printers', 'plates of the library'], ...text && { found: { before_each_copy: text } } }
  },
  async run (context, wanted) {
    const { kernel, services: { queue }, askedBy } = context
    refuseSeconds({ not_before: wanted.not_before })
    checkPrinters(context, wanted.printers ?? [])
    const { name, alternatives } = await alternativesOf(context, wanted)
    const copies = copiesOf(wanted, await queue.store.files(), alternatives)
    const job = await queue.store.addJob({
      id: randomUUID(),
      name: wanted.job_name ?? name,
      state: 'open',
      priority: wanted.priority ?? 0,
      position: 0,
      alternatives,
      copies,
      taken: 0,
      finished: 0,
      needs: {
        printers: wanted.printers ?? [],
        material: wanted.material ?? 'near',
        color: wanted.color ?? 'near',
        plateType: wanted.bed_type ?? 'auto',
        leveling: wanted.bed_leveling ?? true,
        flow: wanted.flow_calibration ?? false,
        timelapse: wanted.timelapse ?? false,
        allowLow: wanted.allow_low ?? false,
        acceptFindings: wanted.accept_findings ?? [],
        endInHours: wanted.end_in_hours ?? false,
        parts: wanted.parts,
        soak: wanted.soak && soakOf(wanted.soak) // null stays: without, whatever the table says
      },
      notBefore: wanted.not_before,
      retries: wanted.retries ?? 0,
      held: false,
      note: wanted.note ?? '',
      createdAt: kernel.now(),
      createdBy: askedBy,
      endedAt: undefined
    })
    queue.runner.wake()
    return await one(context, job)
  }
})

export const listQueue = operation({
  name: 'queue.list',
  summary: 'Jobs in order with the reasons why they wait, and the state of each printer',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    state: Type.Optional(Type.Enum(['open', ...JOB_ENDS], { default: 'open' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LISTED, default: USUAL })),
    from: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_SKIPPED, default: 0, description: 'Jobs to skip' })),
    group: Type.Optional(Type.String({
      maxLength: 64, description: '`key` of a group of `GET /api/queue/board`: only its jobs'
    })),
    reasons: Type.Optional(Type.Boolean({
      default: true, description: 'false: jobs without what keeps each printer from them, which is long for many printers'
    }))
  }),
  output: QueueView,
  async run ({ services: { queue } }, { state = 'open', limit = USUAL, from = 0, group, reasons = true }) {
    const outlook = await queue.forecasts.current(true)
    const end = from + limit
    const open = group === undefined
      ? outlook.snapshot.jobs
      : jobGroups(outlook).find(({ key }) => key === group)?.jobs ?? []
    const jobs = state === 'open' ? open : await queue.store.ended({ state, limit: end })
    return {
      is_paused: outlook.view.isPaused,
      paused_until: outlook.view.pausedUntil ?? null,
      printers: queue.printerRows(outlook),
      jobs: await queue.jobViews(jobs.slice(from, end), { isBrief: !reasons, outlook }),
      more: Math.max(0, jobs.length - end)
    }
  }
})

export const readJob = operation({
  name: 'queue.readJob',
  summary: 'One job of the queue',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ id: JobId }),
  output: JobView,
  errors: [NoJob],
  async run (context, { id }) {
    await context.services.queue.forecasts.current()
    return await one(context, await context.services.queue.store.findJob(id))
  }
})

interface Wanted {
  readonly priority?: number
  readonly copies?: number
  readonly job_name?: string
  readonly not_before?: number
  readonly allow_low?: boolean
  readonly accept_findings?: readonly string[]
  readonly retries?: number
  readonly note?: string
  readonly soak?: SoakFields | null
}

/** The changed columns of a job's row. */
function changesOf (wanted: Wanted, act: string | undefined): JobChanges {
  const {
    priority, copies, retries, note, job_name: name, not_before: notBefore, allow_low: allowLow,
    accept_findings: acceptFindings
  } = wanted
  return {
    ...(priority !== undefined && { priority }),
    ...(copies !== undefined && { copies }),
    ...(retries !== undefined && { retries }),
    ...(note !== undefined && { note }),
    ...(name !== undefined && { name }),
    ...(allowLow !== undefined && { allowLow }),
    ...(acceptFindings !== undefined && { acceptFindings }),
    ...(wanted.soak !== undefined && { soak: wanted.soak && soakOf(wanted.soak) }),
    ...(notBefore !== undefined && { not_before: notBefore || null }),
    ...((act === 'hold' || act === 'release') && { held: Number(act === 'hold') })
  }
}

const ACTS = ['cancel', 'retry', 'hold', 'release'] as const

export const updateJob = operation({
  name: 'queue.update',
  summary: 'Change, move, hold, cancel or retry a job; prints in progress continue',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'Other prints may start, or this one may never start. Prints in progress continue.',
  input: Type.Object({
    id: JobId,
    act: Type.Optional(Type.Enum([...ACTS])),
    before: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a job, first or last' })),
    priority: Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })),
    copies: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_COPIES })),
    job_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    not_before: Type.Optional(Type.Integer({
      minimum: 0, maximum: LAST_MS, description: 'ms since the epoch; 0: at once'
    })),
    allow_low: Type.Optional(Type.Boolean()),
    accept_findings: AcceptFindings,
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    note: Type.Optional(Type.String({ maxLength: MOST_NOTE })),
    soak: MaybeSoak
  }),
  output: JobView,
  errors: [NoJob, JobEnded, QueueFull, TooManyCopies],
  async spends (context, input) {
    const { id, act, copies, retries } = input
    return { ...await spendingOfChange(context, id, { copies, retries }, act === 'retry'), input, isUnspent: () => true }
  },
  async preview ({ services: { queue: { store } } }, { id }) {
    const { name, state } = await store.findJob(id)
    return { checked: ['job'], found: { job: name, state } }
  },
  async run (context, { id, act, before, ...wanted }) {
    const { kernel, services: { queue: { store, runner } } } = context
    refuseSeconds({ not_before: wanted.not_before })
    const set = changesOf(wanted, act)
    const ends = act === 'cancel' || act === 'retry'
    const hasChanges = Object.keys(set).length > 0 || before !== undefined
    if (!ends && !hasChanges) throw new BadInput('Nothing to change was given')
    if (ends && hasChanges) throw new BadInput(`${act} cannot be combined with other changes`)
    const job = act === 'cancel'
      ? await store.cancelJob(id, kernel.now())
      : act === 'retry' ? await store.retryJob(id) : await store.updateJob(id, set, before, kernel.now())
    await settleJob(kernel.events, store, id)
    runner.wake()
    return await one(context, job)
  }
})
