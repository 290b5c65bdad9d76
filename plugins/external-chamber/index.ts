import { definePlugin, type Dispose, type PrinterSession } from '../../core/index.js'
import type { Monitor, Reading } from './monitor.js'
import { Options, passwordOf } from './options.js'

export type { Reading } from './monitor.js'

/** A chamber with its own thermometer and heater, independent of the printer. */
export interface ExternalChamber {
  /** Whether this printer is in the chamber, and has no chamber heater of its own. */
  serves (session: PrinterSession): boolean
  /** The reading for a printer that does not measure the chamber temperature itself; undefined for others. */
  reading (session: PrinterSession): Reading | undefined
  /** Calls back on every new reading. */
  onReading (listen: () => void): Dispose
}

declare module 'prnd' {
  interface Services { externalChamber: ExternalChamber }
}

const NONE: ExternalChamber = { serves: () => false, reading: () => undefined, onReading: () => () => {} }

/** Adds the sensor and heater of a chamber, over MQTT, to the printer inside it. */
export default definePlugin({
  name: 'external-chamber',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Thermometer and heater of a chamber, over MQTT',
  provides: ['externalChamber'],
  uses: ['network'],
  options: Options,
  async setup ({ kernel, options, log, printers, provide, onClose }) {
    const { url } = options
    if (url === undefined) return provide('externalChamber', NONE)
    const password = await passwordOf(options)
    if (password !== undefined) kernel.maskSecret(password)
    const { createMonitor } = await import('./monitor.js') // loads the MQTT library only when it is needed
    const monitor: Monitor = createMonitor({ options: { ...options, url }, password, log })
    onClose(monitor.close)

    // Fixed by configuration: which printer is in the chamber does not depend on which is connected.
    const here = () => options.printer ?? kernel.config.defaultPrinter ?? printers.names[0]
    const isHere = ({ name }: PrinterSession) => name === here()
    const serves = (session: PrinterSession) => isHere(session) && session.model.chamberHeater === null
    const measures = ({ state }: PrinterSession) => state?.heat.chamber.sensor === true
    provide('externalChamber', {
      serves,
      reading: session => isHere(session) && !measures(session) ? monitor.reading : undefined,
      onReading: listen => monitor.events.on('reading', listen)
    })
    printers.eachLocal(session => {
      // Before the first command nothing is published: a restart must not switch a heater off.
      const aim = () => {
        const { at, targetC } = session.context.chamber
        if (at > 0 && serves(session)) monitor.aim(targetC)
      }
      return session.events.on('state', aim)
    })
  }
})
