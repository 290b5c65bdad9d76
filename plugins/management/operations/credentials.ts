import { Type } from 'typebox'
import { operation, type DaemonContext, type Kernel, type PrinterConfig } from '../../../core/index.js'
import { verifyPrinter, configFor, type Candidate } from '../verify-printer.js'
import { CodeNeeded, NotAdmitted, NotConfigured, SavedOffline, UpdatedOffline } from '../errors.js'
import type { Contact } from '../probe.js'
import { AccessCode, Host, MqttPort, Name, Printer, Serial } from '../schemas.js'

/** Ends the old session for the attempt, and restarts it if the attempt fails. */
async function replace ({ kernel, services, signal, progress }: DaemonContext, config: PrinterConfig,
  candidate: Candidate): Promise<Contact> {
  const { printers } = kernel
  const { name } = config
  const ran = printers.get(name) !== undefined
  await printers.disconnect(name)
  try {
    const contact = await verifyPrinter(kernel, config, candidate, { signal, progress, ...services.management.waits })
    await printers.add(config)
    return contact
  } catch (error) {
    if (ran) await printers.connect(name)
    throw error
  }
}

/**
 * The stored code is only sent to its own printer: to a new address only if the printer's certificate is known and
 * verified before the code is sent.
 * @throws PRN_ERR_CODE_NEEDED
 */
function checkCodeStays ({ pins }: Kernel, before: PrinterConfig, after: PrinterConfig): void {
  const { serial, tls: { mode, fingerprint } } = before
  const isProven = mode === 'ca' || (mode === 'pin' && (fingerprint ?? pins.get(serial)) !== undefined)
  if (after.serial !== serial) throw new CodeNeeded('serial number', before.name)
  if (isProven) return
  if (after.host !== before.host) throw new CodeNeeded('address', before.name)
  const isMoved = (['mqtt', 'ftps', 'camera', 'rtsps'] as const).some(which => after.ports[which] !== before.ports[which])
  if (isMoved) throw new CodeNeeded('port', before.name)
}

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Ports = Type.Partial(Type.Object({ ftps: Port, camera: Port, rtsps: Port }), {
  additionalProperties: false, description: 'Ports of its other services, if not the standard ones'
})

export const addPrinter = operation({
  name: 'management.addPrinter',
  summary: 'Try a printer out, store it and connect',
  effect: 'destructive',
  scope: 'daemon',
  concerns: ({ name }) => name,
  consequence: "The printer's access data is stored, in place of an entry of that name, and a session with it begins.",
  input: Type.Object({
    name: Name,
    host: Host,
    serial: Serial,
    accessCode: AccessCode,
    mqttPort: Type.Optional(MqttPort),
    ports: Type.Optional(Ports)
  }),
  output: Printer,
  errors: [NotAdmitted, SavedOffline],
  run: (context, candidate) => context.services.management.inTurn(candidate.name, async () => {
    context.kernel.printers.checkAdmitted(candidate.name)
    const contact = await replace(context, configFor(context.kernel, candidate), candidate)
    if (!contact.good) throw new SavedOffline(candidate.name, contact.message)
    return { name: candidate.name }
  })
})

export const updateCredentials = operation({
  name: 'management.updateCredentials',
  summary: 'Change access data, restart the session',
  effect: 'destructive',
  scope: 'daemon',
  concerns: ({ name }) => name,
  consequence: "The printer's stored access data is overwritten and its session restarts; a running print goes on.",
  input: Type.Object({
    name: Name,
    host: Type.Optional(Host),
    serial: Type.Optional(Serial),
    accessCode: Type.Optional(AccessCode),
    mqttPort: Type.Optional(MqttPort),
    ports: Type.Optional(Ports)
  }),
  output: Printer,
  errors: [NotConfigured, NotAdmitted, CodeNeeded, UpdatedOffline],
  run: (context, change) => context.services.management.inTurn(change.name, async () => {
    const before = context.kernel.printers.config(change.name)
    if (!before) throw new NotConfigured(change.name)
    const { host, serial, accessCode } = before
    const candidate = { host, serial, accessCode, keepsCode: change.accessCode === undefined, ...change }
    const after = configFor(context.kernel, candidate)
    if (candidate.keepsCode) checkCodeStays(context.kernel, before, after)
    const contact = await replace(context, after, candidate)
    if (!contact.good) throw new UpdatedOffline(change.name, contact.message)
    return { name: change.name }
  })
})
