import { onceUnlessFailed, openInstanceId, privateFolder, type PluginContext, type PrinterSession } from '../../core/index.js'
import type { Database } from '../database/index.js'
import { loadPalette } from '../filament/index.js'
import { createQueueAlerts, type AlertsOptions } from './alerts.js'
import { decide, SpoolFinder, type Decision, type View } from './decide/index.js'
import { QueueDatabaseNeeded } from './errors.js'
import { createStopTeller, mostFailuresOf } from './failure-stops.js'
import { GroupRegistry } from './group-registry.js'
import { Library } from './library.js'
import type { Options } from './options.js'
import { isSelfClearing, PlateClearers } from './plate-clearing.js'
import { PrinterObserver } from './printer-observer.js'
import { Runner, type Role, type Timing } from './runner.js'
import { createQueueService, type QueueService } from './service.js'
import { OwnHeats } from './soak/own-heats.js'
import { UsualWarming } from './soak/usual.js'
import { spacingsOf } from './spacings.js'
import { createContents } from './store/contents.js'
import { createStore } from './store/index.js'
import { namedPauses, type PrinterNames } from './store/pauses.js'
import type { Snapshot } from './types.js'
import { createTrayReader, groupsOf, heldBack, pausesOf, viewOf, whyNotNow, type HoldBack, type Situation } from './view.js'

type Context = PluginContext<Options>

/** The parts of an open queue. */
export interface Queue {
  readonly service: QueueService
  readonly role: () => Role
  /** Call when a print has ended, whoever started it. */
  readonly ended: (session: PrinterSession) => void
  /** Call when remaining weights of spools may have changed. */
  readonly weighAgain: () => void
}

async function openLibrary (folder: string, isShared: boolean, { kernel, options, services }: Context):
Promise<Library> {
  const library = new Library({
    ...options,
    folder: await privateFolder(folder, 'files'),
    now: kernel.now,
    contents: isShared ? createContents(services.database) : undefined
  })
  await library.open()
  return library
}

const openAlerts = ({ kernel: { hms, now }, optional }: Context, raise: AlertsOptions['raise']) =>
  createQueueAlerts({ hms, now, raise, countsSpools: () => optional.spools !== undefined })

const printersOf = ({ printers }: Context['kernel']): PrinterNames[] => printers.names.flatMap(name => {
  const serial = printers.config(name)?.serial
  return serial === undefined ? [] : { name, serial }
})

/** Refuses every query where there is no queue. */
function openDatabase (database: Database, role: () => Role): Pick<Database, 'query' | 'change'> {
  const check = (): void => { if (role() === 'none') throw new QueueDatabaseNeeded() }
  return {
    async query (work) {
      check()
      return await database.query(work)
    },
    async change (work) {
      check()
      return await database.change(work)
    }
  }
}

/** Reads the palette when a job is first compared with spools. */
const lazyFinder = (): () => Promise<SpoolFinder> => onceUnlessFailed(async () => new SpoolFinder(await loadPalette()))

/** A hub starts nothing: nodes are closer to the printers, and continue without it. */
function roleIn ({ printers, optional }: Context, isShared: boolean): Role {
  if (printers.others !== undefined) return isShared ? 'hub' : 'none'
  return optional.fleet?.status().role === 'node' ? 'node' : 'alone'
}

/** Lets other plugins hold printers back. @param changed called when one begins, and when one ends */
const holdingBack = (holdBacks: Set<HoldBack>, changed: () => void) => (check: HoldBack) => {
  holdBacks.add(check)
  changed()
  return () => {
    holdBacks.delete(check)
    changed()
  }
}

/** Opens the library and connects the parts of the queue; it takes no turn yet. */
export async function openQueue (context: Context, timing: Timing): Promise<Queue> {
  const { kernel, log, options, events, services, optional } = context
  const folder = await context.folder()
  const instance = await openInstanceId(folder, message => log.warn(message))
  const isShared = services.database.status.kind === 'postgres'
  const role = () => roleIn(context, isShared)
  const library = await openLibrary(folder, isShared, context)
  const database = openDatabase(services.database, role)
  const groupRegistry = new GroupRegistry({ database, kernel, inFile: options.groups })
  const groups = () => groupRegistry.all
  const warming = new UsualWarming({ database, now: kernel.now })
  const store = createStore(database, [groupRegistry, warming, namedPauses(() => printersOf(kernel))])
  const raise: AlertsOptions['raise'] = (printer, finding) => optional.alerts?.raise(printer, finding)
  const alerts = openAlerts(context, raise)
  const clearers = new PlateClearers()
  const ended = (session: PrinterSession): void => {
    if (clearers.alerts(session.config.serial)) return
    if (!isSelfClearing(session.name, groups())) alerts.plateUsed(session)
  }
  const observer = new PrinterObserver({
    markUsed: serial => store.markUsed(serial, kernel.now()),
    ended,
    wake: () => { runner.wake() }
  })
  const trays = createTrayReader(services.projects.weigh)
  const holdBacks = new Set<HoldBack>()
  const situation = (snapshot: Snapshot): Situation =>
    ({ kernel, snapshot, groups: groups(), identity: one => observer.identity(one), trays, holdBacks, warming })
  const finder = lazyFinder()
  const view = (snapshot: Snapshot): View => viewOf(situation(snapshot), library.present, timing.retryMs)
  const decideOn = async (view: View): Promise<Decision> => decide(view, await finder())
  const failuresOf = (printer: string) => mostFailuresOf(printer, { ...options, groups: groups() })
  const parts = { kernel, library, store, observer, groupRegistry, warming, mostFailuresOf: failuresOf }
  const runner = new Runner({
    ...parts,
    ownHeats: await OwnHeats.open(folder, message => log.warn(message)),
    groups,
    readGroups: () => groupRegistry.read(),
    evaluate: snapshot => decideOn(view(snapshot)),
    files: services.files,
    plates: services.projects.plates,
    alerts,
    raise,
    instance,
    role,
    timing,
    log,
    handles: serial => clearers.handles(serial),
    tellStops: createStopTeller({ kernel, store, raise }),
    prepare: (...start) => clearers.prepare(...start),
    whyNot: (session, chosen) => whyNotNow(session, chosen, { kernel, groups: groups(), holdBacks }),
    pausesOf: ({ name, config: { serial } }) => pausesOf({ name, serial }, groups()),
    spacingsOf: printer => spacingsOf(groupsOf(printer, groups()), kernel.printers),
    changed: names => events.emit('queue:changed', names),
    runChanged: run => events.emit('queue:run', run)
  })
  return {
    service: createQueueService({
      ...parts,
      runner,
      heldBackBy: holdingBack(holdBacks, () => { runner.wake() }),
      heldBack: session => heldBack(session, { holdBacks }).map(({ why }) => why),
      view,
      decide: decideOn,
      platesClearedBy: clearing => clearers.set(clearing)
    }),
    role,
    ended,
    weighAgain: () => {
      trays.weighAgain()
      runner.wake()
    }
  }
}
