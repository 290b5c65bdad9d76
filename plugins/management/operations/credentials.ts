import { Type } from 'typebox'
import { operation, PrinterClaimed, type DaemonContext, type Kernel, type PrinterConfig } from '../../../core/index.js'
import { checkNew, configFor, verifyPrinter, type Candidate } from '../verify-printer.js'
import { endSession } from '../end-session.js'
import { CodeNeeded, NotAdmitted, NotConfigured, SavedOffline, UpdatedOffline } from '../errors.js'
import { failureField } from '../failure-field.js'
import type { Contact } from '../probe.js'
import { AccessCode, Host, MqttPort, Name, Printer, Serial } from '../schemas.js'

/** Ends the old session for the attempt, and restarts it if the attempt fails. */
async function replace ({ kernel, services, signal, progress }: DaemonContext, config: PrinterConfig,
  candidate: Candidate, onlyReachable?: boolean): Promise<Contact> {
  const { printers } = kernel
  const { name } = config
  const ran = printers.get(name) !== undefined
  await endSession(kernel, name)
  try {
    const contact = await verifyPrinter(kernel, config, candidate, {
      signal, progress, onlyReachable, ...services.management.waits
    })
    await printers.add(config)
    return contact
  } catch (error) {
    if (ran) await printers.connect(name)
    throw error
  }
}

const codeNeeded = (what: string, { name }: PrinterConfig) => new CodeNeeded(what, name).with(failureField('code_needed'))

/**
 * The stored code is only sent to its own printer: to a new address only if the printer's certificate is known and
 * verified before the code is sent.
 * @throws PRN_ERR_CODE_NEEDED
 */
function checkCodeStays ({ pins }: Kernel, before: PrinterConfig, after: PrinterConfig): void {
  const { serial, tls: { mode, fingerprint } } = before
  const isProven = mode === 'ca' || (mode === 'pin' && (fingerprint ?? pins.get(serial)) !== undefined)
  if (after.serial !== serial) throw codeNeeded('serial number', before)
  if (isProven) return
  if (after.host !== before.host) throw codeNeeded('address', before)
  const isMoved = (['mqtt', 'ftps', 'camera', 'rtsps'] as const).some(which => after.ports[which] !== before.ports[which])
  if (isMoved) throw codeNeeded('port', before)
}

const OnlyReachable = Type.Optional(Type.Boolean({
  description: 'Store nothing if the printer cannot be reached; otherwise it is stored and connected later'
}))

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Ports = Type.Partial(Type.Object({ ftps: Port, camera: Port, rtsps: Port }), {
  additionalProperties: false, description: 'Ports of its other services, if not the standard ones'
})

/** Ports of a printer to configure, as members of an input. */
export const CandidatePorts = { mqttPort: Type.Optional(MqttPort), ports: Type.Optional(Ports) }

export const addPrinter = operation({
  name: 'management.addPrinter',
  summary: 'Try a printer out, store it and connect',
  effect: 'destructive',
  scope: 'daemon',
  concerns: ({ name }) => name,
  note: ({ name }) => name,
  consequence: "The printer's access data is stored, in place of an entry of that name, and a session with it begins.",
  input: Type.Object({
    name: Name,
    host: Host,
    serial: Serial,
    accessCode: AccessCode,
    ...CandidatePorts,
    onlyReachable: OnlyReachable,
    onlyNew: Type.Optional(Type.Boolean({ description: 'Refuse a name that is configured, instead of replacing its entry' }))
  }),
  output: Printer,
  errors: [NotAdmitted, PrinterClaimed, SavedOffline],
  run: (context, { onlyReachable, onlyNew = false, ...candidate }) => {
    const { kernel, services: { management } } = context
    return management.inTurn(candidate.name, async () => {
      const { name } = candidate
      if (onlyNew) checkNew(kernel, name)
      kernel.printers.checkAdmitted(name)
      const contact = await replace(context, configFor(kernel, candidate), candidate, onlyReachable)
      if (!contact.good) throw new SavedOffline(name, contact.message).with(failureField(contact.code))
      return { name }
    })
  }
})

export const updateCredentials = operation({
  name: 'management.updateCredentials',
  summary: 'Change access data, restart the session',
  effect: 'destructive',
  scope: 'daemon',
  concerns: ({ name }) => name,
  note: ({ name }) => name,
  consequence: "The printer's stored access data is overwritten and its session restarts; a running print goes on.",
  input: Type.Object({
    name: Name,
    host: Type.Optional(Host),
    serial: Type.Optional(Serial),
    accessCode: Type.Optional(AccessCode),
    ...CandidatePorts,
    onlyReachable: OnlyReachable
  }),
  output: Printer,
  errors: [NotConfigured, NotAdmitted, PrinterClaimed, CodeNeeded, UpdatedOffline],
  run: (context, { onlyReachable, ...change }) => context.services.management.inTurn(change.name, async () => {
    const before = context.kernel.printers.config(change.name)
    if (!before) throw new NotConfigured(change.name)
    const { host, serial, accessCode } = before
    const candidate = { host, serial, accessCode, keepsCode: change.accessCode === undefined, ...change }
    const after = configFor(context.kernel, candidate)
    if (candidate.keepsCode) checkCodeStays(context.kernel, before, after)
    const contact = await replace(context, after, candidate, onlyReachable)
    if (!contact.good) throw new UpdatedOffline(change.name, contact.message).with(failureField(contact.code))
    return { name: change.name }
  })
})
