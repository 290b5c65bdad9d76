import { pendingStart, type Kernel, type PrinterSession } from '../../core/index.js'
import { isWanted, plateIn, printerProblem, textOf, why, type Decision, type View, type Waiting, type Why } from './decide/index.js'
import type { HoldBack } from './view.js'
import { nameOnPrinter } from './run-verdict.js'
import type { GroupRegistry } from './group-registry.js'
import { expectedView, Forecasts, type Outlook } from './forecast/index.js'
import { partsOfJob, partsOn, type Parts } from './parts.js'
import type { Library } from './library.js'
import type { Runner } from './runner.js'
import type { FileView, JobView, PrinterRow } from './schemas.js'
import type { PlateClearing } from './plate-clearing.js'
import type { PrinterObserver } from './printer-observer.js'
import { soakFor, type UsualWarming, type Warming } from './soak/usual.js'
import type { Store } from './store/index.js'
import type { FailureRecord, Job, Run, SlicedFile, Snapshot } from './types.js'
import { groupsOf, type GroupOptions } from './view.js'

/** The state of the queue on one printer. */
export interface QueueStatus {
  readonly plate: 'clear' | 'used'
  /** Id of its current job; empty without one. */
  readonly job: string
  /** State of its current run; empty without one. */
  readonly state: string
  readonly open_jobs: number
  /** A waiting copy may be printed on this printer. */
  readonly copies_wait: boolean
  /** It is held after so many failures in a row until a person releases it; `at` is ms since the epoch. */
  readonly stopped: { readonly at: number, readonly failures: number, readonly reason: string } | null
}

export interface JobViewOptions {
  /** Without what keeps each printer from them. */
  readonly isBrief?: boolean
  /** Left out: read anew. */
  readonly outlook?: Outlook
}

/** The queue's service for operations and other plugins. */
export interface QueueService {
  readonly store: Store
  readonly library: Library
  readonly runner: Runner
  /** As they were read last. */
  readonly groups: readonly GroupOptions[]
  readonly groupRegistry: GroupRegistry
  /** What is warmed before jobs that say nothing of it. */
  readonly warming: UsualWarming
  readonly observer: PrinterObserver
  /** So many failed prints in a row stop a printer that a person has set no number for; 0: never. */
  mostFailuresOf (printer: string): number
  /**
   * Stores a file in the library, for all services that share the database.
   * @throws PRN_ERR_NOT_SLICED, PRN_ERR_SLICED_FILE_TOO_LARGE, PRN_ERR_LIBRARY_FULL
   */
  storeFile (...file: Parameters<Library['add']>): Promise<SlicedFile>
  /** When waiting copies are expected to be printed. */
  readonly forecasts: Forecasts
  /** Jobs as callers see them. */
  jobViews (jobs: readonly Job[], options?: JobViewOptions): Promise<JobView[]>
  printerRows (of: Pick<Outlook, 'snapshot' | 'view'>): PrinterRow[]
  fileView (file: SlicedFile): FileView
  /**
   * Lets another plugin hold a printer back: it takes no job while the check says why. Call `runner.wake()` when the
   * answer may have changed. @returns ends it
   */
  heldBackBy (check: HoldBack): () => void
  /** Why other plugins hold a printer back now, by the checks of `heldBackBy`; `check_failed` where one cannot say. */
  heldBack (session: PrinterSession): readonly Why[]
  /** Whether a waiting copy could start on a printer once it is connected, by the last turn. */
  wants (printer: string): boolean
  /** Lets another plugin change plates before they are sent, and see to them afterwards. @returns ends it */
  platesClearedBy (clearing: PlateClearing): () => void
  /** The status of one printer as of the last turn, without a database query. */
  statusOf (printer: string): QueueStatus | undefined
}

/** A reason as English text and as a code with values. */
const reasonFields = (why: Why | undefined) => ({ reason: why ? textOf(why) : '', why: why ?? null })

/** A start of the queue, or of any client, that the printer does not show yet. */
const awaitedStart = (run: Run | undefined, session: PrinterSession | undefined, now: number) =>
  pendingStart(session?.context.start, now) ??
  (run?.state === 'sending' ? { job: nameOnPrinter(run), since: run.sentAt ?? run.createdAt } : null)

const failuresView = (record: FailureRecord | undefined, usual: number): PrinterRow['failures'] => ({
  in_a_row: record?.failures ?? 0,
  most: record?.most ?? usual,
  is_usual: record?.most === undefined,
  last: record?.reason ?? '',
  stopped_at: record?.stoppedAt ?? null
})

function stopOf (record: FailureRecord | undefined): QueueStatus['stopped'] {
  if (record?.stoppedAt === undefined) return null
  return { at: record.stoppedAt, failures: record.failures, reason: record.reason }
}

const bedTypeOf = (file: SlicedFile | undefined, plate: number): string =>
  file?.plates.find(({ number }) => number === plate)?.bedType ?? ''

/** The table of materials says something of its first plate, whatever a printer can do of that. */
function soakView (job: Job, { files, warming }: Seen): JobView['soak'] {
  const [first] = job.alternatives
  const soak = soakFor(job, first && plateIn(files.get(first.file), first), warming)
  if (soak === undefined) return null
  const { bedC, chamberC, minutes, otherwise } = soak
  return { bed: bedC, chamber: chamberC || null, minutes, otherwise, by: job.needs.soak === undefined ? 'material' : 'job' }
}

const partsView = (parts: Parts | undefined): JobView['parts'] =>
  parts ? { per_copy: parts.perCopy, finished: parts.finished, wanted: parts.wanted } : null

interface Seen { readonly files: ReadonlyMap<string, SlicedFile>, readonly warming: Warming }

const NOTHING: Waiting = { reason: undefined, printers: [], isBlocked: false }

function stateOf (job: Job, runs: readonly Run[], { isBlocked }: Waiting): JobView['state'] {
  if (job.state !== 'open') return job.state
  const active = runs.filter(({ endedAt }) => endedAt === undefined)
  if (active.some(({ state }) => state === 'printing')) return 'printing'
  if (active.some(({ state }) => state === 'unknown')) return 'blocked'
  return active.length > 0 ? 'starting' : isBlocked ? 'blocked' : 'waiting'
}

function viewOfJob (
  job: Job, runs: readonly Run[], waiting: Waiting, seen: Seen, expected: JobView['expected']
): JobView {
  const { files } = seen
  return {
    id: job.id,
    name: job.name,
    state: stateOf(job, runs, waiting),
    ...reasonFields(job.state === 'open' && job.taken < job.copies ? waiting.reason : undefined),
    printers: waiting.printers.map(({ printer, why }) => ({ printer, ...reasonFields(why) })),
    priority: job.priority,
    copies: job.copies,
    finished: job.finished,
    parts: partsView(partsOfJob(job, files)),
    waiting: job.state === 'open' ? job.copies - job.taken : 0,
    held: job.held,
    files: job.alternatives.map(({ file, plate }) => ({
      id: file, name: files.get(file)?.name ?? '', plate, bed_type: bedTypeOf(files.get(file), plate)
    })),
    wanted_printers: [...job.needs.printers],
    material: job.needs.material,
    color: job.needs.color,
    allow_low: job.needs.allowLow,
    accept_findings: [...job.needs.acceptFindings],
    retries: job.retries,
    not_before: job.notBefore ?? null,
    soak: soakView(job, seen),
    note: job.note,
    created_at: job.createdAt,
    created_by: job.createdBy,
    ended_at: job.endedAt ?? null,
    expected: job.state === 'open' && job.taken < job.copies ? expected : null,
    runs: runs.map(({ id, printer, state, reason, createdAt, endedAt, print }) =>
      ({ id, printer, state, reason, chosen_at: createdAt, ended_at: endedAt ?? null, print }))
  }
}

/** @param present ids of the files stored on this host */
function viewOfFile (file: SlicedFile, present: ReadonlySet<string>): FileView {
  const { id, name, size, addedAt, addedBy, plates, isStored } = file
  return {
    id,
    name,
    size,
    is_present: isStored === true || present.has(id),
    added_at: addedAt,
    added_by: addedBy,
    plates: plates.map(plate => ({
      plate: plate.number,
      name: plate.name,
      printable: plate.printable,
      model: plate.printerModelId,
      bed_type: plate.bedType ?? '',
      nozzles: [...plate.nozzleDiametersMm],
      seconds: plate.seconds ?? null,
      grams: plate.grams ?? null,
      parts: partsOn(file, { plate: plate.number }) ?? null,
      parts_by: file.partCounts?.[plate.number] === undefined ? 'slicer' as const : 'person' as const,
      filaments: plate.filaments.map(({ id, type, color }) => ({ id, type, color }))
    }))
  }
}

export interface ServiceDeps extends Pick<QueueService,
  'store' | 'library' | 'runner' | 'groupRegistry' | 'warming' | 'observer' | 'mostFailuresOf' | 'heldBackBy' | 'heldBack' | 'platesClearedBy'> {
  readonly kernel: Kernel
  readonly view: (snapshot: Snapshot) => View
  /** Decides on a view without starting anything. */
  readonly decide: (view: View) => Promise<Decision>
}

export function createQueueService ({ kernel, decide, view, ...parts }: ServiceDeps): QueueService {
  const { store, library, runner, observer } = parts
  async function read () {
    const snapshot = await store.snapshot()
    const seen = view(snapshot)
    return { snapshot, view: seen, decision: await decide(seen) }
  }
  const forecasts = new Forecasts({ read, version: store.version })

  return {
    ...parts,
    get groups () { return parts.groupRegistry.all },
    forecasts,
    async storeFile (...given) {
      const file = await library.add(...given)
      await store.addFile(file)
      await library.share(file.id)
      return file
    },
    async jobViews (jobs, { isBrief = false, outlook } = {}) {
      const { snapshot, view: seen, decision } = outlook ?? await read()
      const runs = await store.runsOf(jobs.map(({ id }) => id))
      return jobs.map(job => {
        const isWaiting = job.state === 'open' && job.taken < job.copies
        const attempts = snapshot.attempts.get(job.id) ?? []
        const waiting = isWaiting ? decision.explain({ job, attempts }) : NOTHING
        const shown = isBrief ? { ...waiting, printers: [] } : waiting
        const expected = expectedView(forecasts.last?.forecast.expected.get(job.id))
        return viewOfJob(job, runs.filter(run => run.job === job.id), shown, seen, expected)
      })
    },
    printerRows ({ snapshot, view }) {
      return view.printers.map(printer => {
        const problem = printerProblem(printer, view.now)
        const run = snapshot.runs.find(({ serial }) => serial === printer.serial)
        const session = kernel.printers.get(printer.machine.name)
        return {
          printer: printer.machine.name,
          plate: printer.plate === 'clear' ? 'clear' : 'used',
          is_ready: problem === undefined && !view.isPaused,
          ...reasonFields(problem?.why ?? (view.isPaused ? why('queue_paused') : undefined)),
          is_paused: printer.isPaused,
          paused_until: printer.pausedUntil ?? null,
          groups: printer.groups.map(({ name }) => name),
          seen: session ? observer.fingerprint(session, run) : '',
          job: run?.job ?? '',
          outcome_wanted: run?.state === 'unknown',
          failures: failuresView(snapshot.failures.get(printer.serial), parts.mostFailuresOf(printer.machine.name)),
          pending_start: awaitedStart(run, session, kernel.now())
        }
      })
    },
    fileView: file => viewOfFile(file, library.present),
    wants (printer) {
      const { snapshot } = runner.last ?? {}
      const seen = snapshot && view(snapshot)
      const own = seen?.printers.find(({ machine }) => machine.name === printer)
      return seen !== undefined && own !== undefined && isWanted(own, seen)
    },
    statusOf (printer) {
      const serial = kernel.printers.config(printer)?.serial
      const snapshot = runner.last?.snapshot
      if (serial === undefined || snapshot === undefined) return undefined
      const run = runner.runOf(serial)
      const plate = snapshot.plates.get(serial)?.state === 'clear' ? 'clear' : 'used'
      const names = [printer, ...groupsOf(printer, parts.groupRegistry.all).map(({ name }) => name)]
      const waits = ({ copies, taken, held, needs: { printers } }: Job) =>
        copies > taken && !held && (printers.length === 0 || names.some(name => printers.includes(name)))
      return {
        plate,
        job: run?.job ?? '',
        state: run?.state ?? '',
        open_jobs: snapshot.jobs.length,
        copies_wait: snapshot.jobs.some(waits),
        stopped: stopOf(snapshot.failures.get(serial))
      }
    }
  }
}
