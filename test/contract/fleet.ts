import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import {
  createEmitter, isActive, type PrinterConfig, type PrinterSession, type PrinterState, type RunningSession
} from '../../core/index.js'
import { createSession } from '../../core/printer/index.js'
import { createManualClock, type ModelName, type VirtualPrinter } from '../../plugins/emulator/index.js'
import { boot, type Booted, type BootOptions } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { testFolder } from '../helpers/folder.js'
import { furnish, marksOf, type Content, type Marks } from './card.js'
import { describedBy, readDescription, type Described } from './described.js'
import { quietDaemon } from './preset.js'
import { withoutIds } from './wire.js'

export type Fields = Readonly<Record<string, unknown>>

/** A request as it reaches a printer, without its number. */
export interface Wire { readonly section: string, readonly command?: string, readonly [field: string]: unknown }

/** One of each family. */
export const MODELS = ['A1_MINI', 'P1S', 'X1C', 'H2D'] as const satisfies readonly ModelName[]
export type Model = (typeof MODELS)[number]
/** With `PRN_WALK=whole` cards and cameras are walked on every family, without on the two that differ most. */
const WHOLE = process.env.PRN_WALK === 'whole'
const DIFFERENT = new Set(['a1-mini', 'h2d'])
/** Takes only signed commands. */
export const SIGNED = 'signed'
/** Configured, but nothing answers at its address. */
export const GONE = 'gone'
/** Configured, but its session was ended. */
export const ENDED = 'ended'
/** Not configured. */
export const NOBODY = 'nobody'

const ACCESS_CODE = '24681357'
const UPLOAD_MIB = 1
/** px, and pictures a second. */
const SMALL = { width: 320, height: 180, fps: 2 }

/** A printer at an address where nothing answers. */
export const unreachable = (name: string): PrinterConfig => ({
  name,
  host: '127.0.0.1',
  serial: '094000000000001',
  accessCode: ACCESS_CODE,
  ports: { mqtt: 1, ftps: 1, camera: 1, rtsps: 1 },
  tls: { mode: 'pin' }
})

/**
 * What a printer is doing; `printing`: a sample from its card; `failed`: it shows an error; `asleep`: nothing, and
 * its session is paused.
 */
export type Activity = 'idle' | 'running' | 'printing' | 'paused' | 'failed' | 'asleep'

export interface FleetOptions extends BootOptions {
  /** There are projects on the cards. @default false */
  readonly samples?: boolean
  /** For streams. @default the usual ones */
  readonly ports?: { readonly start: number, readonly end: number }
}

export interface Fleet extends Booted {
  /** The names of one printer of each of {@link MODELS}. */
  readonly names: readonly string[]
  /** By the name it is configured with: a rename does not change that. */
  of (name: string): VirtualPrinter
  model (name: string): Model
  session (name: string): PrinterSession
  /** Lets the printers' time pass, and reports come. */
  advance (ms: number): void
  /** Brings printers to an activity, from whatever they were at. */
  become (activity: Activity, names: readonly string[]): Promise<void>
  inject (options: InjectOptions): Promise<Reply>
  /** Does something while the printers' time passes. */
  living<T> (work: () => Promise<T>): Promise<T>
  /** What reaches a printer while `work` runs; what sessions ask by themselves is left out. */
  heard (names: readonly string[], work: () => Promise<unknown>): Promise<ReadonlyMap<string, readonly Wire[]>>
  /** Everything on the cards, by the printers' names. */
  cards (names: readonly string[]): Promise<Readonly<Record<string, Marks>>>
  /** Changes a card behind the service's back; the service looks at it once more. */
  furnish (name: string, content: Content): Promise<void>
  /** Routes are asked in one way each: calls that go on to another service do not arrive together. */
  readonly oneWay?: boolean
  /** A folder of the host that tools may read and write. */
  readonly folder: string
  /** The description that every answer has been compared with. */
  readonly described: Described
}

export interface Reply {
  readonly status: number
  readonly type: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly bytes: Buffer
  readonly body: unknown
}

const isAsking = ({ section, command }: Wire) =>
  section === 'pushing' || (section === 'info' && command === 'get_version')

const wireOf = ({ section, body: { sequence_id: _id, ...body } }: VirtualPrinter['requests'][number]): Wire =>
  withoutIds({ section, ...body })

const PREPARATION_MS = 6_000
/** Every answer is compared, also on a busy machine. */
const PATIENT = { answerMs: 15_000 }
const OBJECTS = [11, 12, 13]
const SAMPLE = 'calibration-cube'

/** Starts printers of every family, and some that cannot be reached, on a clock that stands still. */
export async function startFleet (t: Test, { samples = false, ports, ...options }: FleetOptions = {}): Promise<Fleet> {
  const clock = createManualClock()
  const every = { clock, accessCode: ACCESS_CODE, sdCard: { samples }, camera: SMALL }
  const dataDir = testFolder(t)
  const folder = testFolder(t) // none of the data folder's is open
  const booted = await boot(t, {
    models: [
      ...MODELS.map(model => ({ model, ...every })),
      { model: 'X1C', name: SIGNED, developerMode: false, ...every }
    ],
    preset: quietDaemon(folder),
    dependencies: { createSession: (config, deps) => createSession(config, { ...deps, timeouts: PATIENT }) },
    ...options,
    config: {
      dataDir,
      plugins: { files: { hostFolders: [folder], uploadMiB: UPLOAD_MIB } },
      api: { host: '127.0.0.1' },
      ...(ports && { ports }),
      ...options.config
    }
  })
  const { kernel, printers } = booted
  await mkdir(join(kernel.dataDir, 'uploads'), { recursive: true })
  await writeFile(join(kernel.dataDir, 'uploads', 'part.3mf'), 'a part')
  const configs = new Map(kernel.printers.names.map(name => [name, kernel.printers.config(name)]))
  await kernel.printers.add(unreachable(GONE))
  await kernel.printers.add(unreachable(ENDED))
  await kernel.printers.disconnect(ENDED)

  const found = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw new Error(`there is no ${name}`)
    return value
  }
  const known = new Map(printers.map(printer => [printer.name, printer]))
  const of = (name: string) => found(known.get(name), name)
  const session = (name: string) => found(kernel.printers.get(name), name)
  const settled = (names: readonly string[], test: (state: PrinterState) => boolean) => eventually(() => {
    clock.advance(200)
    return names.every(name => test(session(name).state as PrinterState))
  })
  const order = (names: readonly string[], command: string) =>
    Promise.all(names.map(name => session(name).send({ section: 'print', command, param: '' })))

  /** A session that was paused or ended goes on, also of a printer that was removed. */
  async function wake (name: string): Promise<void> {
    const { service } = kernel.printers.get(name) ?? {}
    if (service === undefined) await kernel.printers.add(found(configs.get(name), name))
    else if (service !== 'PAUSED') return
    else await session(name).resume()
    await eventually(() => session(name).live)
  }

  const isAtRest = ({ ams }: PrinterState) => ![1, 2].includes(ams.statusRaw >> 8) && isDry(ams)
  const isDry = ({ units }: PrinterState['ams']) => units.every(({ dryer }) => (dryer?.state ?? 'OFF') === 'OFF')

  /** Filament that moves stays where it is. What was reported before the answer has arrived with it. */
  const halt = (names: readonly string[]) => Promise.all(names.map(name =>
    session(name).send({ section: 'print', command: 'ams_control', param: 'abort' }, { replyWithin: 2_000 })))

  /** Dryers cool down, tags are read, and all of it is known. */
  async function restUnits (names: readonly string[]): Promise<void> {
    await halt(names)
    clock.advance(200)
    await halt(names)
    await order(names.filter(name => !isDry((session(name).state as PrinterState).ams)), 'auto_stop_ams_dry')
    await settled(names, isAtRest)
  }

  async function rest (names: readonly string[]): Promise<void> {
    await Promise.all(names.map(wake))
    await order(names.filter(name => isActive(session(name).state?.job.gcodeState ?? '')), 'stop')
    await settled(names, ({ job }) => !isActive(job.gcodeState))
    await order(names.filter(name => session(name).state?.errors.printError !== 0), 'clean_print_error')
    await settled(names, ({ errors }) => errors.printError === 0)
    await restUnits(names)
  }

  async function work (names: readonly string[], activity: Exclude<Activity, 'idle' | 'asleep'>): Promise<void> {
    for (const name of names) of(name).startJob(activity === 'printing' ? { name: SAMPLE } : { objects: OBJECTS })
    clock.advance(PREPARATION_MS)
    await settled(names, ({ job }) => job.gcodeState === 'RUNNING')
    if (activity === 'running' || activity === 'printing') return
    await order(names, activity === 'paused' ? 'pause' : 'stop')
    await settled(names, ({ job }) => job.gcodeState === (activity === 'paused' ? 'PAUSE' : 'FAILED'))
  }

  async function become (activity: Activity, names: readonly string[]): Promise<void> {
    await rest(names)
    if (activity === 'asleep') await Promise.all(names.map(name => session(name).pause()))
    else if (activity !== 'idle') await work(names, activity)
  }

  const described = describedBy(await readDescription(kernel))
  const told = new Set<string>()

  /** Whatever is asked, the answer has to be as the description says. */
  function compare ({ method = 'GET', url }: InjectOptions, reply: Reply): void {
    const flaws = described.flaws(method, String(url), reply)
    const message = `${method} ${String(url)} answers as described`
    if (flaws.length === 0 || told.has(message + flaws.join())) return
    told.add(message + flaws.join())
    t.fail(message, { flaws })
  }

  async function inject (request: InjectOptions): Promise<Reply> {
    const { statusCode: status, headers, body: text, rawPayload: bytes } = await kernel.app.inject(request)
    const type = headers['content-type'] as string | undefined
    const reply = { status, type, headers, text, bytes, body: parsed(text) }
    compare(request, reply)
    return reply
  }

  async function living<T> (work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => clock.advance(200), 50)
    return await work().finally(() => clearInterval(timer))
  }

  async function heard (names: readonly string[], work: () => Promise<unknown>) {
    const before = new Map(names.map(name => [name, of(name).requests.length]))
    await work()
    return new Map(names.map(name => [name, of(name).requests.slice(before.get(name)).map(wireOf)]))
  }

  return {
    ...booted,
    printer: booted.printer,
    name: booted.name,
    names: [...known.keys()].filter(name => name !== SIGNED && (!samples || WHOLE || DIFFERENT.has(name))),
    of,
    model: name => of(name).model as Model,
    session,
    advance: clock.advance,
    become,
    inject,
    living,
    heard,
    cards: async names => Object.fromEntries(await Promise.all(names.map(async name =>
      [name, await marksOf(of(name))] as const))),
    async furnish (name, content) {
      await furnish(of(name), content)
      await kernel.services.files.list(session(name), { refresh: true })
    },
    folder,
    described
  }
}

/** One fleet for a whole file. */
export function oneFleet (t: Test, options: FleetOptions = {}): () => Promise<Fleet> {
  let started: Promise<Fleet> | undefined
  return () => {
    started ??= startFleet(t, options)
    return started
  }
}

/** A session of which everything but its name is broken. */
export function brokenSession ({ name }: PrinterConfig): RunningSession {
  const fail = () => { throw new Error('crossed wires') }
  const whole = { name, events: createEmitter(fail), signal: new AbortController().signal }
  const session = new Proxy(whole, {
    get: (target, key) => key in target ? target[key as keyof typeof target] : fail(),
    set: fail
  })
  return { session: session as unknown as PrinterSession, start () {}, end: async () => {} }
}

/** How often everything was asked for: sessions do so by themselves as well, whenever they wake. */
export const refreshesIn = (wire: readonly Wire[]): number => Math.min(
  wire.filter(({ command }) => command === 'get_version').length,
  wire.filter(({ command, push_target: target }) => command === 'pushall' && target === 1).length
)

/** Without what sessions ask by themselves. */
export const commandsOf = (wire: readonly Wire[]): readonly Wire[] => wire.filter(request => !isAsking(request))

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
