import { isDeepStrictEqual } from 'node:util'
import type { PrinterSession, PrinterState } from '../../core/index.js'
import { advance } from './feeds.js'
import { filamentsOf } from './filament.js'
import { follow, identityOf, lose, type Sight } from './follow.js'
import { createPendingSights } from './pending-sight.js'
import { askedMapping, reportedMapping, startMapping } from './places.js'
import type { ProjectFacts } from './project-facts.js'
import { belongsTo, type Start, type Starts } from './starts.js'
import type { Owner } from './tables.js'
import type { JobIdentity, Print, PrintFault } from './types.js'

/** Newest print of each printer, by serial: what a restarted service goes on with, also without the database. */
export type Newest = Readonly<Record<string, Print>>

/** The job that each printer showed of which no print is known yet, by serial: what it shows later is new. */
export type Shown = Readonly<Record<string, JobIdentity>>

/** Somebody began or stopped a print by a service. */
export interface Told extends Start { readonly kind: 'start' | 'stop' }

export interface RecorderOptions {
  readonly newest: Newest
  /** Keeps them for the next start. Never rejects. */
  readonly keep: (newest: Newest) => Promise<void>
  readonly shown: Shown
  readonly keepShown: (shown: Shown) => void
  /** What was sent and is not seen to run yet, by serial: it is recognised also after a restart. */
  readonly starts: Starts
  readonly keepStarts: (starts: Starts) => void
  /** Records a print as it is now. */
  readonly save: (print: Print, owner: Owner) => void
  readonly learn: (session: PrinterSession, print: string) => Promise<ProjectFacts | undefined>
  readonly faultsOf: (state: PrinterState) => readonly PrintFault[]
  /** A print began, ended, or went on. */
  readonly announce: (print: Print, session: PrinterSession) => void
  /** A print has ended while nobody looked. @param seenAt when it was last seen to run; undefined: never */
  readonly endedUnseen: (print: Print, session: PrinterSession, seenAt: number | undefined) => void
  readonly now: () => number
  /** Seconds of a clock that never jumps. */
  readonly steady: () => number
}

const SAVE_EVERY_S = 30
/** How a print that ended unseen can be known to have ended. */
const TOLD: ReadonlySet<string> = new Set(['finished', 'failed', 'cancelled'])

const ownerOf = ({ name, config, model }: PrinterSession): Owner =>
  ({ serial: config.serial, printer: name, model: model.model })

/** Follows printers and keeps one record of each print, across restarts and new connections. */
export function createRecorder (options: RecorderOptions) {
  const { save, keep, learn, faultsOf, announce, now, steady } = options
  const newest = new Map(Object.entries(options.newest))
  const shown = new Map(Object.entries(options.shown))
  const savedAt = new Map<string, number>()
  /** When this recorder last saw the newest print of a printer, by the steady clock. */
  const lastSeen = new Map<string, number>()
  const learning = new Set<string>()
  let saving: Promise<void> = Promise.resolve()
  const watched = new Map<string, PrinterSession>()
  const pending = createPendingSights()
  const starts = new Map(Object.entries(options.starts))

  /** The newest print, with all reports so far. */
  function newestOf (serial: string): Print | undefined {
    const print = newest.get(serial)
    const sight = pending.take(serial)
    if (print === undefined || sight === undefined) return print
    const known = follow(print, sight).at(-1) ?? print
    newest.set(serial, known)
    return known
  }

  function store (print: Print, owner: Owner): void {
    for (const serial of newest.keys()) newestOf(serial)
    newest.set(owner.serial, print)
    savedAt.set(owner.serial, steady())
    // Kept first: whatever the next service finds in the record, it knows as its own.
    saving = keep(Object.fromEntries(newest)).then(() => save(print, owner))
  }

  function noteStart (serial: string, start: Start | undefined): void {
    if (start === undefined && !starts.has(serial)) return
    if (start === undefined) starts.delete(serial)
    else starts.set(serial, start)
    options.keepStarts(Object.fromEntries(starts))
  }

  /** Reports bring a new job piece by piece: its name or number may come after its state. */
  function startedBy (print: Print, { serial }: Owner): Print {
    const start = starts.get(serial)
    if (start === undefined || print.asked !== undefined || !belongsTo(start, print, now())) return print
    noteStart(serial, undefined)
    return { ...print, startedBy: start.by, asked: start.asked }
  }

  function accept (print: Print, before: Print | undefined, session: PrinterSession, state: PrinterState): void {
    const owner = ownerOf(session)
    const isNew = before?.id !== print.id
    const isNews = isNew || before.result !== print.result || before.state !== print.state
    const known = withFilaments(startedBy(print, owner), session, state)
    if (!isNews && steady() - (savedAt.get(owner.serial) ?? -Infinity) < SAVE_EVERY_S) {
      newest.set(owner.serial, known)
      return
    }
    store(known, owner)
    if (isNews) announce(known, session)
    if (isNews && !known.endSeen && TOLD.has(known.result)) options.endedUnseen(known, session, before?.seenAt)
  }

  /** The project is read in the background, once for each print. */
  async function complete (print: Print, session: PrinterSession): Promise<void> {
    if (print.projectPath !== '' || learning.has(print.id)) return
    learning.add(print.id)
    const facts = await learn(session, print.id)
    if (facts === undefined) {
      learning.delete(print.id)
      return
    }
    const { thumbnail: _, plate = -1, ...known } = facts
    const current = newestOf(session.config.serial)
    if (current?.id !== print.id) return
    const job = current.job.plate > 0 ? current.job : { ...current.job, plate }
    const next = { ...current, ...known, job }
    store({ ...next, filaments: filamentsOf(next) }, ownerOf(session))
  }

  /** Nothing of it is kept once there is a print. */
  function noteShown (serial: string, job: JobIdentity): void {
    const before = shown.get(serial)
    const isKnown = newest.has(serial)
    if (isKnown ? before === undefined : isDeepStrictEqual(before, job)) return
    if (isKnown) shown.delete(serial)
    else shown.set(serial, job)
    options.keepShown(Object.fromEntries(shown))
  }

  function see (session: PrinterSession, state: PrinterState, elapsed: number | undefined): void {
    const { serial } = session.config
    const before = newestOf(serial)
    const faults = state.job.gcodeState === 'FAILED' ? faultsOf(state) : []
    const seen = lastSeen.get(serial)
    const missed = seen === undefined ? undefined : steady() - seen
    const sight: Sight = { job: state.job, at: state.receivedAt, elapsed, missed, faults }
    const changed = follow(before, sight, shown.get(serial))
    for (const print of changed) accept(print, print.id === before?.id ? before : undefined, session, state)
    pending.begin(serial, state)
    noteShown(serial, identityOf(state.job))
    const last = changed.at(-1)
    if (last?.result === 'running') void complete(last, session)
  }

  /** @returns what ends it */
  function watch (session: PrinterSession): () => void {
    let lookedAt: number | undefined
    const { serial } = session.config
    watched.set(serial, session)
    const off = [
      () => { if (watched.get(serial) === session) watched.delete(serial) },
      session.events.on('state', state => {
        if (session.service === 'PAUSED') return
        const at = steady()
        const elapsed = lookedAt === undefined ? undefined : at - lookedAt
        lookedAt = at
        const isKept = at - (savedAt.get(serial) ?? -Infinity) < SAVE_EVERY_S
        const ran = newest.get(serial)?.result === 'running'
        if (elapsed === undefined || !isKept || !pending.add(serial, state, elapsed)) see(session, state, elapsed)
        if (ran || newest.get(serial)?.result === 'running') lastSeen.set(serial, at)
      }),
      session.events.on('live', live => { if (!live) lookedAt = undefined }),
      session.events.on('service', service => { if (service !== 'CONNECTED') lookedAt = undefined })
    ]
    return () => { for (const undo of off) undo() }
  }

  return {
    watch,
    /** Our own service began a print; a short one may have ended by the time it is told. */
    started ({ kind: _, ...start }: Told, session: PrinterSession): void {
      const owner = ownerOf(session)
      const print = newestOf(owner.serial)
      const { by, calledAt, asked } = start
      const isIt = print?.startSeen === true && print.startedAt >= calledAt && belongsTo(start, print, now())
      if (isIt) store({ ...print, startedBy: by, asked }, owner)
      else noteStart(owner.serial, start)
    },
    /** Our own service stopped a print; its end may have been reported already. */
    stopped ({ by, calledAt }: Told, session: PrinterSession): void {
      const owner = ownerOf(session)
      const print = newestOf(owner.serial)
      const hasEnded = print?.endedAt !== undefined && print.endedAt >= calledAt
      if (print === undefined || !(print.result === 'running' || hasEnded) || print.result === 'finished') return
      const result = print.result === 'failed' ? 'cancelled' : print.result
      store({ ...print, result, endedBy: by, faults: [] }, owner)
    },
    /** The newest print as another service has recorded it. */
    goOn (serial: string, print: Print): void {
      pending.forget(serial)
      lastSeen.delete(serial)
      newest.set(serial, print)
    },
    /** What this service saw of a print that another one had recorded, or nobody. */
    adopt (print: Print, recorded: Print | undefined, session: PrinterSession): void {
      store(print, ownerOf(session))
      if (recorded?.id !== print.id || recorded.result !== print.result) announce(print, session)
    },
    /** What a printer shows now: at rest the next report may be minutes away. */
    look (session: PrinterSession): void {
      if (session.state) see(session, session.state, undefined)
    },
    /** Another service records this printer from now on. */
    leave (serial: string): void {
      pending.forget(serial)
      lastSeen.delete(serial)
      newest.delete(serial)
    },
    /** A printer is no longer configured. It may come back under another name and go on. */
    forget (owner: Owner): void {
      const print = newestOf(owner.serial)
      pending.forget(owner.serial)
      if (print?.result === 'running') store(lose(print), owner)
    },
    /** A print is a copy of a job. */
    link (id: string, job: string): void {
      const [serial = ''] = [...newest].find(([, one]) => one.id === id) ?? []
      const print = newestOf(serial)
      const session = watched.get(serial)
      if (print && session && print.queueJob !== job) store({ ...print, queueJob: job }, ownerOf(session))
    },
    /** A project may become readable while its print runs. */
    lookForProjects (): void {
      for (const [serial, session] of watched) {
        const print = newest.get(serial)
        if (print?.result === 'running') void complete(print, session)
      }
    },
    /** The print that a printer began last. */
    newest: newestOf,
    /** The print that runs on a printer. */
    running: (serial: string): Print | undefined => {
      const print = newestOf(serial)
      return print?.result === 'running' ? print : undefined
    },
    /** Ids of all prints that run. */
    runningIds: (): string[] => [...newest.values()].filter(({ result }) => result === 'running').map(({ id }) => id),
    /** A service that was killed may have kept the end of a print and not recorded it. */
    async catchUp (owner: Owner, isOpen: (id: string) => Promise<boolean>): Promise<void> {
      const print = newest.get(owner.serial)
      if (print === undefined || print.result === 'running' || !await isOpen(print.id)) return
      if (newest.get(owner.serial) === print) save(print, owner)
    },
    /** Ids of the newest print of each printer. */
    newestIds: (): string[] => [...newest.values()].map(({ id }) => id),
    /** Before the end of the service: how far the prints are. */
    async flush (owners: readonly Owner[]): Promise<void> {
      for (const owner of owners) {
        const print = newestOf(owner.serial)
        if (print?.result === 'running') store(print, owner)
      }
      await saving
    }
  }
}

/** With what feeds it, as far as the start command, the reports and the place in use tell. */
function withFilaments (print: Print, { context, model }: PrinterSession, state: PrinterState): Print {
  const told = startMapping(state, context.projectFile) ?? askedMapping(print.asked, model.extruders > 1)
  // Until the first layer a printer may still report the mapping of the print before.
  const shown = print.mapping !== undefined && print.layer > 0 ? print.mapping : reportedMapping(state) ?? print.mapping
  const known = print.result === 'running' ? { ...print, mapping: told ?? shown } : print
  const fed = { ...known, feeds: advance(known.feeds, known, state) }
  return { ...fed, filaments: filamentsOf(fed) }
}

export type Recorder = ReturnType<typeof createRecorder>
