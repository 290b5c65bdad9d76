import { isActive, isServiceError, type Kernel, type PrinterSession, type SessionContext } from '../../core/index.js'
import type { QueueAlerts } from './alerts.js'
import type { FilesService } from '../files/index.js'
import { isRefusedStart, type PlateJudge } from '../projects/index.js'
import { isOurs } from './run-verdict.js'
import { textOf, type Why } from './decide/index.js'
import { LONGEST_MINUTES } from './soak/limits.js'
import { PersonWanted, warmUp, type WarmUpTiming } from './soak/warm-up.js'
import type { Library } from './library.js'
import { startOfRun } from './start-record.js'
import type { PlateClearing } from './plate-clearing.js'
import type { Spacing } from './spacings.js'
import type { Store } from './store/index.js'
import type { HeatRecord, Job, Run, Soak } from './types.js'

/** The start was withdrawn before anything was sent. */
class Withdrawn extends Error {}

/** Outcome of a start; `unsure`: the printer's reports will decide. */
export type Outcome = { readonly kind: 'started' | 'unsure' } |
  { readonly kind: 'not_started', readonly reason: string, /** The job waits until a person has seen to it. */ readonly isHeld: boolean }

export interface StartDeps {
  readonly kernel: Kernel
  readonly files: FilesService
  readonly library: Library
  readonly store: Store
  readonly identity: (session: PrinterSession) => string
  readonly plates: PlateJudge
  readonly alerts: Pick<QueueAlerts, 'plateRefused'>
  /** The file to send in place of one of the library; rejects if nothing may be sent. */
  readonly prepare: PlateClearing['prepare']
  /** Why the printer must take no job now, whatever was decided before. */
  readonly whyNot: (session: PrinterSession, chosen: Pick<Chosen, 'job' | 'run'>) => Why | undefined
  /** Reads the groups anew: another service may have changed their hours during the upload. */
  readonly readGroups: () => Promise<unknown>
  /** All pauses that concern a printer. */
  readonly pausesOf: (session: PrinterSession) => readonly string[]
  /** Least times between the starts of prints in a printer's groups, as they were read last. */
  readonly spacingsOf: (printer: string) => readonly Spacing[]
  /** Id of this service, the same across restarts. */
  readonly instance: string
  readonly timing: WarmUpTiming
  /** Called before and after a printer is warmed for a run. */
  readonly warms: (run: string, isWarming: boolean) => void
  /** Awaited before anything is heated for a run. */
  readonly heats: (heat: HeatRecord) => Promise<void>
}

/** A decided start. */
export interface Chosen {
  readonly run: Run
  readonly job: Job
  readonly mapping: readonly number[]
  /** What is warmed before. */
  readonly soak: Soak | undefined
  /** Identity of the job that was reported when the plate was confirmed clear. */
  readonly confirmed: string | undefined
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** Aborts as soon as the printer does something else: other clients print too, and their prints may be short. */
function watchOthers (session: PrinterSession, run: Run, isAsBefore: () => boolean) {
  const controller = new AbortController()
  const off = session.events.on('state', ({ job }) => {
    if (isOurs(run, job) || (isAsBefore() && !isActive(job.gcodeState))) return
    controller.abort(new Withdrawn('something else was printed meanwhile'))
  })
  return { signal: controller.signal, off }
}

const CHANGED = 'it was paused, changed or cancelled meanwhile'

/** What must hold until the start is sent; each throws why it does not. */
function checksOf (session: PrinterSession, { run, job, confirmed }: Pick<Chosen, 'run' | 'job' | 'confirmed'>,
  { identity, whyNot, store, pausesOf, kernel }: StartDeps) {
  /** Nothing holds the printer back. */
  function free (): void {
    const held = whyNot(session, { job, run })
    if (held) throw new Withdrawn(`it was held back before it was sent: ${textOf(held)}`)
  }
  return {
    free,
    /** The plate is as it was confirmed. @returns identity of the job that the printer shows */
    unused (): string {
      const shown = identity(session)
      if (shown !== confirmed) throw new Withdrawn('something was printed since the plate was confirmed clear')
      return shown
    },
    /** Nobody has paused, changed or cancelled anything. */
    async wanted (): Promise<void> {
      free()
      if (!await store.mayGoOn(run, { pauses: pausesOf(session), now: kernel.now() })) throw new Withdrawn(CHANGED)
    }
  }
}

/** A plate that a person has to change, or the recipe that is put into it: trying it again changes nothing. */
const REFUSED: ReadonlySet<string> = new Set(['PRN_ERR_PLATE_FINDINGS', 'PRN_ERR_PLATE_NOT_CHANGED'])
const UPLOAD_MS = 14 * 60_000
const SOAK_MINUTES = LONGEST_MINUTES + 2

/**
 * Uploads the file to the card and starts it. The printer is claimed meanwhile, and the start is recorded before it is
 * sent: after a crash the printer's reports decide what became of it.
 */
export async function startRun (session: PrinterSession, { run, job, mapping, soak, confirmed }: Chosen,
  deps: StartDeps): Promise<Outcome> {
  const { kernel, files, library, store, identity, plates, alerts, prepare, readGroups, timing, warms } = deps
  const print = kernel.operation('projects.print')
  /** The printer's latest start record before ours, set once the decision to send is recorded. */
  let before: SessionContext['start'] | 'undecided' = 'undecided'
  const { unused, free, wanted } = checksOf(session, { run, job, confirmed }, deps)
  const others = watchOthers(session, run, () => identity(session) === confirmed)
  try {
    if (!print) throw new Withdrawn('starting prints is not part of this service')
    const { needs } = job
    const output = await session.exclusively(`job '${job.name}' of the queue`, async over => {
      const signal = AbortSignal.any([over, kernel.signal, others.signal])
      const from = await prepare(session, run, await library.verified(run.file), signal)
      const { acceptFindings: accepted, plateType } = needs
      await plates.check(session, { path: from, isOnHost: true, plate: run.plate, mapping, plateType },
        { accepted, isUnattended: true, signal })
      await files.upload(session, from, run.path, { signal })
      await plates.uploaded(session, { from, to: run.path, plate: run.plate }, signal)
      await readGroups()
      unused()
      warms(run.id, true)
      const turn = async () => {
        await readGroups() // since the claim a group may have another name, or another spacing
        return await store.takeTurnAgain(run, deps.spacingsOf(session.name), kernel.now())
      }
      await warmUp(session, { run, job, soak }, { ...deps, check: wanted, turn }, signal)
        .finally(() => warms(run.id, false))
      await readGroups()
      const shown = unused()
      signal.throwIfAborted()
      free()
      const pauses = deps.pausesOf(session)
      if (!await store.aboutToSend(run, { shown, pauses, now: kernel.now() })) throw new Withdrawn(CHANGED)
      before = session.context.start
      return await kernel.call(print, {
        file: run.path,
        plate: run.plate,
        plateType: needs.plateType,
        useAms: true,
        mapping: [...mapping],
        anyColor: needs.color === 'any',
        leveling: needs.leveling,
        flow: needs.flow,
        timelapse: needs.timelapse,
        acceptFindings: [...accepted],
        pauseIfBad: true,
        taskId: run.task
      }, { printer: session.name, surface: 'queue', signal })
    }, { withinMs: UPLOAD_MS + (soak ? SOAK_MINUTES * timing.minuteMs : 0) })
    return { kind: output.outcome === 'started' ? 'started' : 'unsure' }
  } catch (error) {
    if (isServiceError(error) && REFUSED.has(error.code)) alerts.plateRefused(session, job, error.message)
    // Once the printer has accepted the start, only its reports decide, whatever they show at first.
    const isAccepted = startOfRun(session, run)?.accepted === true
    // Every start that is sent leaves a record; a withdrawn one ends before it is sent, or not at all.
    const isSent = before !== 'undecided' && session.context.start !== before
    const isUnsure = isSent && !(error instanceof Withdrawn) && (isAccepted || !isRefusedStart(error))
    return isUnsure ? { kind: 'unsure' } : { kind: 'not_started', reason: messageOf(error), isHeld: error instanceof PersonWanted }
  } finally {
    others.off()
  }
}
