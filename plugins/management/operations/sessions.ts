import { Type } from 'typebox'
import { openPrinterConfigStore, operation, PrinterClaimed } from '../../../core/index.js'
import { endSession } from '../end-session.js'
import { NotConfigured, NotErased, NotStarted } from '../errors.js'
import { settle } from '../probe.js'
import { Named, Printer } from '../schemas.js'

export const removePrinter = operation({
  name: 'management.removePrinter',
  summary: 'End the session and erase the access data',
  effect: 'destructive',
  scope: 'daemon',
  concerns: ({ name }) => name,
  note: ({ name }) => name,
  consequence: "The printer's session ends and its address, serial number, access code and certificate are erased here. Refused while " +
    'something else has claimed it, such as a job of the queue that warms it.',
  input: Named,
  output: Printer,
  errors: [NotConfigured, NotErased, PrinterClaimed],
  run: ({ kernel, services, log }, { name }) => services.management.inTurn(name, async () => {
    const config = kernel.printers.config(name)
    if (!config) throw new NotConfigured(name)
    await endSession(kernel, name)
    try {
      await openPrinterConfigStore(kernel.configFile, kernel.dataDir, message => log.warn(message)).erase(name)
      await kernel.printers.remove(name)
      if (kernel.pins.get(config.serial) !== undefined) await kernel.pins.drop(config.serial)
    } catch (error) {
      throw new NotErased(name, (error as Error).message)
    }
    return { name }
  })
})

export const disconnectPrinter = operation({
  name: 'management.disconnectPrinter',
  summary: 'End the session; the printer stays configured',
  effect: 'write',
  consequence: 'The session ends: no telemetry, alerts, streams or commands until it is started again. The print ' +
    'goes on. Refused while something else has claimed it, such as a job of the queue that warms it.',
  input: Type.Object({}),
  output: Printer,
  errors: [PrinterClaimed],
  async run ({ kernel, session: { name } }) {
    await endSession(kernel, name)
    return { name }
  }
})

export const startPrinter = operation({
  name: 'management.startPrinter',
  summary: 'Start or restart the session',
  effect: 'write',
  scope: 'daemon',
  concerns: ({ name }) => name,
  consequence: 'A session with the printer begins; one that runs is ended first. Refused while something else has ' +
    'claimed the printer, such as a job of the queue that warms it.',
  input: Named,
  output: Type.Object({ name: Type.String(), done: Type.Enum(['started', 'restarted']) }),
  errors: [NotConfigured, NotStarted, PrinterClaimed],
  run: ({ kernel, services, signal }, { name }) => services.management.inTurn(name, async () => {
    if (!kernel.printers.config(name)) throw new NotConfigured(name)
    const done = kernel.printers.get(name) === undefined ? 'started' as const : 'restarted' as const
    if (done === 'restarted') await endSession(kernel, name)
    const outcome = await settle(await kernel.printers.connect(name), { signal, ...services.management.waits })
    if (!outcome.good) throw new NotStarted(outcome.message)
    return { name, done }
  })
})
