import { Type } from 'typebox'
import { operation, PrinterClaimed } from '../../core/index.js'
import { endSession } from './end-session.js'
import { NotConfigured } from './errors.js'
import { settle } from './probe.js'
import { describeProbe } from './describe-probe.js'

/** For the command line, which must not open a second session next to a running one. */
export const testPrinter = operation({
  name: 'management.testPrinter',
  summary: 'Test the connection to a printer, and accept a changed certificate on request',
  effect: 'write',
  scope: 'daemon',
  note: ({ name, accept }) => accept ? `${name}, with its certificate` : name,
  consequence: 'With `accept`, a different certificate of the printer is accepted.',
  input: Type.Object({ name: Type.String(), accept: Type.Boolean({ default: false }) }),
  output: Type.Object({ good: Type.Boolean(), lines: Type.Array(Type.String()) }),
  errors: [NotConfigured, PrinterClaimed],
  run: ({ kernel, services, signal }, { name, accept }) => services.management.inTurn(name, async () => {
    const config = kernel.printers.config(name)
    if (!config) throw new NotConfigured(name)
    if (accept) {
      await endSession(kernel, name)
      await kernel.pins.drop(config.serial)
    }
    const running = accept ? undefined : kernel.printers.get(name)
    const session = running ?? await kernel.printers.connect(name)
    await settle(session, { signal, ...services.management.waits })
    return await describeProbe(session)
  })
})
