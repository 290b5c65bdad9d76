import type { Finding } from '../../../../plugins/alerts/index.js'
import { RunChanges } from '../../../../plugins/queue/run-changes.js'
import { RunStarts } from '../../../../plugins/queue/run-starts.js'
import { HeatKeeper } from '../../../../plugins/queue/soak/heat-keeper.js'
import type { End } from '../../../../plugins/queue/store/index.js'
import type { HeatRecord, Run } from '../../../../plugins/queue/types.js'
import { printerView, slicedFile, waitingJob } from '../views.js'
import { soakPrinter } from './soak-printer.js'

const away = async (): Promise<never> => { throw new Error('the database is away') }

/** Starts of a queue on one printer without a network, with a store in memory that can be taken away. */
export function starting () {
  const printer = soakPrinter()
  const { session, kernel } = printer
  const heats = new Map<string, HeatRecord>()
  const told: string[] = []
  const ended: End[] = []
  const run = { current: undefined as Run | undefined }
  const memory = {
    claim: async (claimed: Run) => { run.current = claimed; return true },
    beginHeat: async (serial: string, heat: HeatRecord) => { heats.set(serial, heat) },
    endHeat: async () => { heats.clear() },
    warm: async () => {},
    mayGoOn: async () => true,
    heats: async () => heats,
    findJob: async () => undefined,
    end: async (_run: Run, how: End) => { ended.push(how); return true }
  }
  let isAway = false
  const store = new Proxy(memory, { get: (from, name: keyof typeof memory) => isAway ? away : from[name] })
  const raise = (_printer: string, { payload }: Finding) => { told.push(String(payload.reason)) }
  Object.assign(kernel, { operation: () => ({}) })
  Object.assign(session, { events: { on: () => () => {} } })
  const deps: any = {
    kernel,
    store,
    raise,
    instance: 'me',
    log: { warn () {}, info () {} },
    alerts: { spoolsLow () {}, jobHeld: (_: unknown, { name }: { name: string }, reason: string) => { told.push(`${name}: ${reason}`) } },
    cleaner: { remove: async () => {} },
    observer: { identity: () => '' },
    files: { upload: async () => {} },
    library: { verified: async () => '/file' },
    plates: { check: async () => {}, uploaded: async () => {} },
    identity: () => '',
    prepare: async () => '/file',
    whyNot: () => undefined,
    readGroups: async () => {},
    pausesOf: () => [],
    mostFailuresOf: () => 0,
    timing: { lookMs: 1, minuteMs: 10_000 },
    runChanged () {},
    wake () {}
  }
  const keeper: HeatKeeper = new HeatKeeper({ ...deps, isStarting: id => starts.has(id) })
  const starts: RunStarts = new RunStarts({ ...deps, keeper, changes: new RunChanges(deps) })
  const start: any = {
    ...waitingJob('cube', {}, { soak: { bedC: 60, chamberC: 0, minutes: 30, otherwise: 'ask' } }),
    printer: { ...printerView('x1c'), serial: session.config.serial },
    file: slicedFile('a'),
    plate: 1,
    seconds: 60,
    mapping: [0],
    low: []
  }
  start.soak = start.job.needs.soak
  return {
    printer,
    keeper,
    starts,
    store: memory,
    told,
    ended,
    heats,
    run,
    takeAway (isGone = true) { isAway = isGone },
    /** Begins a start, which warms the printer. */
    begin () { starts.begin(start, '') }
  }
}
