import { Type } from 'typebox'
import { BadInput, operation, immutableJson, PrinterClaimed, type Kernel, type PrinterSession, type ServiceState } from '../../../core/index.js'
import { Connection, PrinterList, SessionStatus } from '../schemas.js'

interface Trouble { readonly problem?: { readonly code: string, readonly message: string } }

const problemEntry = ({ problem }: PrinterSession): Trouble =>
  problem ? { problem: { code: problem.code, message: problem.message } } : {}

interface Entry extends Trouble {
  readonly name: string
  readonly connected: boolean
  readonly session_active: boolean
  readonly service_state: ServiceState | null
}

/** Cached and serialised once until something changes, because every page requests it every few seconds. */
const lists = new WeakMap<Kernel, { readonly printers: Entry[], readonly total: number }>()

function entryOf (name: string, session: PrinterSession | undefined, before: Entry | undefined): Entry {
  const isSame = before?.name === name && before.session_active === (session !== undefined) &&
    before.service_state === (session?.service ?? null) && before.problem?.code === session?.problem?.code &&
    before.problem?.message === session?.problem?.message
  if (isSame) return before
  return {
    name,
    connected: session?.service === 'CONNECTED',
    session_active: session !== undefined,
    service_state: session?.service ?? null,
    ...(session && problemEntry(session))
  }
}

export const listPrinters = operation({
  name: 'system.listPrinters',
  summary: 'Printers and their connections',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: PrinterList,
  run ({ kernel }) {
    const { printers } = kernel
    const before = lists.get(kernel)
    const entries = printers.names.map((name, at) => entryOf(name, printers.get(name), before?.printers[at]))
    const isSame = before?.total === entries.length && entries.every((entry, at) => entry === before.printers[at])
    if (isSame) return before
    const list = immutableJson({ printers: entries, total: entries.length })
    lists.set(kernel, list)
    return list
  }
})

/** An unknown name is not an error: the printer is simply not configured. */
export const readConnection = operation({
  name: 'system.readConnection',
  summary: 'Whether a printer is configured and connected',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ name: Type.String() }),
  output: Connection,
  run ({ kernel: { printers } }, { name }) {
    const session = printers.get(name)
    return {
      name,
      configured: printers.config(name) !== undefined,
      session_active: session !== undefined,
      connected: session?.service === 'CONNECTED',
      service_state: session?.service ?? null,
      recent_update: session?.live ?? null,
      ...(session && problemEntry(session))
    }
  }
})

export const readDefaultPrinter = operation({
  name: 'system.readDefaultPrinter',
  summary: 'Which printer a request without a printer name means',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ printer: Type.Optional(Type.String({ description: 'An explicit choice, which always wins' })) }),
  output: Type.Object({
    status: Type.String(),
    printer: Type.Union([Type.String(), Type.Null()]),
    source: Type.Enum(['explicit', 'env_var', 'first_connected', 'none']),
    connected_printers: Type.Array(Type.String())
  }),
  run ({ kernel: { printers } }, { printer }) {
    const chosen = printers.choose(printer)
    return {
      status: 'success',
      printer: chosen.source === 'none' ? null : chosen.printer ?? null,
      source: chosen.source,
      connected_printers: printers.sessions.filter(({ service }) => service === 'CONNECTED').map(({ name }) => name)
    }
  }
})

export const readSession = operation({
  name: 'system.readSession',
  summary: 'State of the session, and what hinders it',
  effect: 'read',
  input: Type.Object({}),
  output: SessionStatus,
  run: ({ session }) => ({
    name: session.name,
    connected: session.service === 'CONNECTED',
    service_state: session.service,
    session_active: true,
    recent_update: session.live,
    developer_mode: session.state?.device.developerMode ?? 'unknown',
    ...problemEntry(session)
  })
})

const State = Type.Object({ state: Type.String({ description: 'Service state afterwards' }) })

/** Claimed, so that whoever is at work with the printer, such as the queue that warms it, still sees what it does. */
const pause = (session: PrinterSession): Promise<void> =>
  session.exclusively('pausing its session', () => session.pause())

export const pauseSession = operation({
  name: 'system.pauseSession',
  summary: 'Pause telemetry; the MQTT connection stays',
  effect: 'write',
  consequence: 'Telemetry of this printer stops: readings freeze and no alerts arise until it is resumed. The print goes on. ' +
    'Refused while something else has claimed it, such as a job of the queue that warms it.',
  input: Type.Object({}),
  output: State,
  errors: [PrinterClaimed],
  async run ({ session }) {
    await pause(session)
    return { state: session.service }
  }
})

export const resumeSession = operation({
  name: 'system.resumeSession',
  summary: 'Resume a paused MQTT session',
  effect: 'write',
  consequence: 'Telemetry and alerts of this printer start again.',
  input: Type.Object({}),
  output: State,
  async run ({ session }) {
    await session.resume()
    return { state: session.service }
  }
})

/**
 * Does nothing in a state other than connected or paused, and nothing if the wanted one holds: another person may have
 * switched it meanwhile.
 */
export const toggleSession = operation({
  name: 'system.toggleSession',
  summary: 'Pause a connected session or resume a paused one',
  effect: 'write',
  consequence: 'Telemetry and alerts of this printer stop, or start again.',
  input: Type.Object({
    state: Type.Optional(Type.Enum(['CONNECTED', 'PAUSED'], { description: 'The wanted one; left out: the other one' }))
  }),
  output: State,
  errors: [PrinterClaimed],
  async run ({ session }, { state: wanted = session.service === 'CONNECTED' ? 'PAUSED' : 'CONNECTED' }) {
    if (wanted === 'PAUSED') await pause(session)
    else await session.resume()
    return { state: session.service }
  }
})

export const refresh = operation({
  name: 'system.refresh',
  summary: 'Have the printer report its state again',
  effect: 'write',
  consequence: 'The printer sends its version and its complete state again; harmless, but it adds traffic.',
  input: Type.Object({}),
  output: Type.Object({}),
  async run ({ session }) {
    await session.refresh()
    return {}
  }
})

const LONGEST_NAME = 64
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/

/** @throws PRN_ERR_BAD_INPUT for what cannot be a printer's name */
export function newName (text: string): string {
  const name = text.trim()
  if (name === '') throw new BadInput('new_name is required')
  if (name.length > LONGEST_NAME || CONTROL.test(name)) {
    throw new BadInput(`new_name must have at most ${LONGEST_NAME} characters and no control characters`)
  }
  return name
}

/** @wire update.name */
export const renamePrinter = operation({
  name: 'system.renamePrinter',
  summary: 'Rename the device on the printer itself',
  effect: 'write',
  consequence: "The name stored on the printer changes, also on its screen and for other clients; this service's own name for it stays.",
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: LONGEST_NAME }) }),
  output: Type.Object({ confirmed: Type.Boolean() }),
  run: ({ session }, { name }) => session.perform('to be renamed', { section: 'update', name })
})

export const setVerbose = operation({
  name: 'system.setVerbose',
  summary: 'Log the raw MQTT payloads of a session, access codes masked',
  effect: 'local',
  record: true,
  input: Type.Object({ verbose: Type.Boolean() }),
  output: Type.Object({ printer: Type.String(), verbose: Type.Boolean() }),
  run ({ session }, { verbose }) {
    session.verbose = verbose
    return { printer: session.name, verbose }
  }
})
