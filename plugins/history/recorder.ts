import type { PrinterSession, PrinterState } from '../../core/index.js'
import { AwaitedStarts } from './awaited-starts.js'
import { withFilaments } from './feeds.js'
import { follow, identityOf, lose, type Observation } from './follow.js'
import { NewestPrints, type NewestPrintsOptions } from './newest-prints.js'
import { ProjectLookups, withProject, type Learn } from './project-lookups.js'
import { ShownJobs, type Shown } from './shown-jobs.js'
import { belongsTo, type PrintCommand, type Starts } from './starts.js'
import { ownerOf, type Owner } from './tables.js'
import type { Print, PrintFault } from './types.js'

export interface RecorderOptions extends NewestPrintsOptions {
  readonly shown: Shown
  readonly persistShown: (shown: Shown) => void
  /** Prints that were sent but not seen running yet, by serial, so that they are recognised after a restart. */
  readonly starts: Starts
  readonly persistStarts: (starts: Starts) => void
  readonly learn: Learn
  readonly faultsOf: (state: PrinterState) => readonly PrintFault[]
  /** A print began, ended, or changed its state. */
  readonly announce: (print: Print, session: PrinterSession) => void
  /** A print ended while it was not observed. @param seenAt when it was last seen running; undefined if never */
  readonly endedUnseen: (print: Print, session: PrinterSession, seenAt: number | undefined) => void
  readonly now: () => number
}

/** Results that a printer can still show after an end that was not observed. */
const SHOWN_RESULTS: ReadonlySet<string> = new Set(['finished', 'failed', 'cancelled'])

/** Follows printers and keeps one record of each print, across restarts and new connections. */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #prints: NewestPrints
  readonly #shown: ShownJobs
  readonly #starts: AwaitedStarts
  readonly #projects: ProjectLookups
  readonly #watched = new Map<string, PrinterSession>()

  constructor (options: RecorderOptions) {
    this.#options = options
    this.#prints = new NewestPrints(options)
    this.#shown = new ShownJobs(options.shown, options.persistShown)
    this.#starts = new AwaitedStarts(options.starts, options.persistStarts)
    this.#projects = new ProjectLookups(options.learn)
  }

  /** @returns stops watching */
  watch (session: PrinterSession): () => void {
    const { serial } = session.config
    let observedAt: number | undefined
    this.#watched.set(serial, session)
    const off = [
      () => { if (this.#watched.get(serial) === session) this.#watched.delete(serial) },
      session.events.on('state', state => {
        if (session.service === 'PAUSED') return
        const at = this.#options.steady()
        const elapsed = observedAt === undefined ? undefined : at - observedAt
        observedAt = at
        this.#report(session, state, elapsed)
      }),
      session.events.on('live', live => { if (!live) observedAt = undefined }),
      session.events.on('service', service => { if (service !== 'CONNECTED') observedAt = undefined })
    ]
    return () => { for (const undo of off) undo() }
  }

  /** Processes the current state, because at rest the next report may be minutes away. */
  observe (session: PrinterSession): void {
    if (session.state) this.#follow(session, session.state, undefined)
  }

  /** A print was started from here; a short one may have ended before the command is recorded. */
  started ({ kind: _, ...start }: PrintCommand, session: PrinterSession): void {
    const owner = ownerOf(session)
    const print = this.newest(owner.serial)
    const { by, calledAt, asked } = start
    const isIt = print?.startSeen === true && print.startedAt >= calledAt &&
      belongsTo(start, print, this.#options.now())
    if (isIt) this.#prints.store({ ...print, startedBy: by, asked }, owner)
    else this.#starts.add(owner.serial, start)
  }

  /** A print was stopped from here; its end may have been reported already. */
  stopped ({ by, calledAt }: PrintCommand, session: PrinterSession): void {
    const owner = ownerOf(session)
    const print = this.newest(owner.serial)
    const hasEnded = print?.endedAt !== undefined && print.endedAt >= calledAt
    if (print === undefined || !(print.result === 'running' || hasEnded) || print.result === 'finished') return
    const result = print.result === 'failed' ? 'cancelled' : print.result
    this.#prints.store({ ...print, result, endedBy: by, faults: [] }, owner)
  }

  /** Continues from the newest print as another service has recorded it. */
  continueFrom (serial: string, print: Print): void { this.#prints.replace(serial, print) }

  /** Records a print that this service observed. @param recorded the same print as recorded by another service */
  adopt (print: Print, recorded: Print | undefined, session: PrinterSession): void {
    this.#prints.store(print, ownerOf(session))
    if (recorded?.id !== print.id || recorded.result !== print.result) this.#options.announce(print, session)
  }

  /** Another service records this printer from now on. */
  leave (serial: string): void { this.#prints.remove(serial) }

  /** A printer is no longer configured. It may come back under another name and continue. */
  forget (owner: Owner): void {
    const print = this.newest(owner.serial)
    this.#prints.dropPending(owner.serial)
    if (print?.result === 'running') this.#prints.store(lose(print), owner)
  }

  /** Links a print to the job of the queue that it is a copy of. @param parts that a copy gives */
  link (id: string, job: string, parts: number | undefined): void {
    const serial = this.#prints.serialOf(id) ?? ''
    const print = this.newest(serial)
    const session = this.#watched.get(serial)
    if (!print || !session || print.queueJob === job) return
    this.#prints.store({ ...print, queueJob: job, parts }, ownerOf(session))
  }

  /** Tries again, because a project may become readable during its print. */
  readProjects (): void {
    for (const [serial, session] of this.#watched) {
      const print = this.#prints.peek(serial)
      if (print?.result === 'running') void this.#readProject(print, session)
    }
  }

  /** The newest print of each watched printer, as it was recorded last. */
  newestOfAll (): (readonly [Print, PrinterSession])[] {
    return [...this.#watched].flatMap(([serial, session]) => {
      const print = this.#prints.peek(serial)
      return print ? [[print, session] as const] : []
    })
  }

  /** Records a print again, because more is known of its plate. */
  recount (id: string): void {
    const serial = this.#prints.serialOf(id) ?? ''
    const print = this.newest(serial)
    const session = this.#watched.get(serial)
    if (print && session) this.#prints.store(print, ownerOf(session))
  }

  /** The print that a printer began last. */
  newest (serial: string): Print | undefined { return this.#prints.get(serial) }

  /** The running print of a printer. */
  running (serial: string): Print | undefined {
    const print = this.newest(serial)
    return print?.result === 'running' ? print : undefined
  }

  runningIds (): string[] {
    return this.#prints.all.filter(({ result }) => result === 'running').map(({ id }) => id)
  }

  /** Ids of the newest print of each printer. */
  newestIds (): string[] { return this.#prints.all.map(({ id }) => id) }

  /** Records the end of a print that a killed service had stored in its state file only. */
  async catchUp (owner: Owner, isOpen: (id: string) => Promise<boolean>): Promise<void> {
    const print = this.#prints.peek(owner.serial)
    if (print === undefined || print.result === 'running' || !await isOpen(print.id)) return
    const now = this.#prints.peek(owner.serial)
    if (now === print || now?.id !== print.id) this.#options.save(print, owner)
  }

  /** At shutdown: records the progress of the prints. */
  async flush (owners: readonly Owner[]): Promise<void> {
    for (const owner of owners) {
      const print = this.running(owner.serial)
      if (print) this.#prints.store(print, owner)
    }
    await this.#prints.saved()
  }

  /** @param elapsed s since the previous report; undefined after a gap */
  #report (session: PrinterSession, state: PrinterState, elapsed: number | undefined): void {
    const { serial } = session.config
    const ran = this.#prints.isRunning(serial)
    const isProgress = elapsed !== undefined && !this.#prints.isSaveDue(serial) &&
      this.#prints.addPending(serial, state, elapsed)
    if (!isProgress) this.#follow(session, state, elapsed)
    if (ran || this.#prints.isRunning(serial)) this.#prints.noteSeen(serial)
  }

  #follow (session: PrinterSession, state: PrinterState, elapsed: number | undefined): void {
    const { serial } = session.config
    const before = this.newest(serial)
    const faults = state.job.gcodeState === 'FAILED' ? this.#options.faultsOf(state) : []
    const missed = this.#prints.unseenFor(serial)
    const observation: Observation = { job: state.job, at: state.receivedAt, elapsed, missed, faults }
    const changed = follow(before, observation, this.#shown.get(serial))
    for (const print of changed) this.#accept(print, print.id === before?.id ? before : undefined, session, state)
    this.#prints.beginPending(serial, state)
    this.#shown.note(serial, identityOf(state.job), this.#prints.has(serial))
    const last = changed.at(-1)
    if (last?.result === 'running') void this.#readProject(last, session)
  }

  #accept (print: Print, before: Print | undefined, session: PrinterSession, state: PrinterState): void {
    const owner = ownerOf(session)
    const { announce, endedUnseen, now } = this.#options
    const isNews = before?.id !== print.id || before.result !== print.result || before.state !== print.state
    const known = withFilaments(this.#starts.claim(owner.serial, print, now()), session, state)
    if (!isNews && !this.#prints.isSaveDue(owner.serial)) {
      this.#prints.update(owner.serial, known)
      return
    }
    this.#prints.store(known, owner)
    if (!isNews) return
    announce(known, session)
    if (!known.endSeen && SHOWN_RESULTS.has(known.result)) endedUnseen(known, session, before?.seenAt)
  }

  async #readProject (print: Print, session: PrinterSession): Promise<void> {
    const facts = await this.#projects.read(print, session)
    if (facts === undefined) return
    const current = this.newest(session.config.serial)
    if (current?.id === print.id) this.#prints.store(withProject(current, facts), ownerOf(session))
  }
}

export const createRecorder = (options: RecorderOptions): Recorder => new Recorder(options)
