import type { Finding } from '../../../../plugins/alerts/index.js'
import { RunChanges } from '../../../../plugins/queue/run-changes.js'
import { Runner } from '../../../../plugins/queue/runner.js'
import { RunStarts } from '../../../../plugins/queue/run-starts.js'
import { HeatKeeper } from '../../../../plugins/queue/soak/heat-keeper.js'
import { OwnHeats } from '../../../../plugins/queue/soak/own-heats.js'
import type { Spacing } from '../../../../plugins/queue/spacings.js'
import type { End } from '../../../../plugins/queue/store/index.js'
import type { HeatRecord, Run } from '../../../../plugins/queue/types.js'
import { printerView, slicedFile, waitingJob } from '../views.js'
import { soakPrinter } from './soak-printer.js'

const away = async (): Promise<never> => { throw new Error('the database is away') }

/** Starts of a queue on one printer without a network, with a store in memory that can be taken away. */
export function starting ({ minutes = 30 } = {}) {
  const printer = soakPrinter()
  const { session, kernel } = printer
  const heats = new Map<string, HeatRecord>()
  const plates = new Map([[session.config.serial, { job: '' }]])
  const told: string[] = []
  const ended: End[] = []
  const run = { current: undefined as Run | undefined }
  const runs: Run[] = []
  const spacings = { current: [] as readonly Spacing[] }
  const turns: string[] = []
  /** Methods of the store that fail, and `file` of what was heated. */
  const refused = new Set<string>()
  const memory = {
    claim: async (claimed: Run) => { run.current = claimed; return true },
    beginHeat: async (serial: string, heat: HeatRecord) => { heats.set(serial, heat) },
    endHeat: async () => { heats.clear() },
    snapshot: async () => ({ jobs: [], runs, files: new Map(), plates, heats }),
    warm: async (heat: HeatRecord, warmAt: number) => { heats.set(session.config.serial, { ...heat, warmAt }) },
    mayGoOn: async () => true,
    takeTurnAgain: async (_run: Run, taken: readonly Spacing[]) => {
      turns.push(...taken.map(({ group }) => group))
      return true
    },
    aboutToSend: async () => false,
    heats: async () => heats,
    findJob: async () => undefined,
    end: async (_run: Run, how: End) => { ended.push(how); return true }
  }
  let isAway = false
  const isRefused = (name: string): boolean => isAway || refused.has(name)
  const store = new Proxy(memory, { get: (from, name: keyof typeof memory) => isRefused(name) ? away : from[name] })
  const raise = (_printer: string, { payload }: Finding) => { told.push(String(payload.reason)) }
  Object.assign(kernel, { operation: () => ({}) })
  kernel.printers.names = ['x1c']
  Object.assign(session, { events: { on: () => () => {} } })
  const deps: any = {
    kernel,
    store,
    raise,
    ownHeats: new OwnHeats({ get: () => [], set: async () => { if (refused.has('file')) await away() }, settled: async () => {} }),
    instance: 'me',
    log: { warn () {}, info () {} },
    alerts: {
      spoolsLow () {},
      see () {},
      errorOf: () => '',
      jobHeld: (_: unknown, { name }: { name: string }, reason: string) => { told.push(`${name}: ${reason}`) }
    },
    cleaner: { remove: async () => {} },
    observer: { identity: () => '', plates () {}, observe: () => undefined },
    files: { upload: async () => {} },
    library: { verified: async () => '/file' },
    plates: { check: async () => {}, uploaded: async () => {} },
    identity: () => '',
    prepare: async () => '/file',
    whyNot: () => undefined,
    readGroups: async () => { onRead.current() },
    pausesOf: () => [],
    spacingsOf: () => spacings.current,
    mostFailuresOf: () => 0,
    timing: { lookMs: 1, minuteMs: 10_000, turnMs: 1, idleMs: 5 },
    runChanged () {},
    wake () {},
    role: () => 'alone',
    evaluate: async () => ({ starts: runs.length === 0 ? decided.splice(0) : [] }),
    tellStops: async () => {},
    handles: () => false,
    changed () {}
  }
  const onRead = { current: () => {} }
  const decided: any[] = []
  const keeper: HeatKeeper = new HeatKeeper({ ...deps, isStarting: id => starts.has(id) })
  const starts: RunStarts = new RunStarts({ ...deps, keeper, changes: new RunChanges(deps) })
  const start: any = {
    ...waitingJob('cube', {}, { soak: { bedC: 60, chamberC: 0, minutes, otherwise: 'ask' } }),
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
    runs,
    runner: new Runner(deps),
    /** The runner's next turn begins a start. */
    decide () { decided.push(start) },
    refused,
    spacings,
    /** Groups whose turns were taken again. */
    turns,
    /** Called when the groups are read. */
    onRead,
    takeAway (isGone = true) { isAway = isGone },
    /** Begins a start, which warms the printer. */
    begin () { starts.begin(start, '') }
  }
}
