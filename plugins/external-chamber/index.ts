import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, isActive, openJsonStore, type Dispose, type PrinterSession } from '../../core/index.js'
import { ChamberTarget } from './chamber-target.js'
import type { Monitor } from './monitor.js'
import type { Reading } from './readings.js'
import { Options, passwordOf } from './options.js'

export type { Reading } from './readings.js'

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

const Stored = Type.Object({ serial: Type.String(), celsius: Type.Number({ minimum: 0 }) })
/** A printer that is renamed is not configured for a moment. */
const GONE_AFTER_MS = 30_000

const NONE: ExternalChamber = { serves: () => false, reading: () => undefined, onReading: () => () => {} }

/** Adds the sensor and heater of a chamber, over MQTT, to the printer inside it. */
export default definePlugin({
  name: 'external-chamber',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Thermometer and heater of a chamber, over MQTT',
  provides: ['externalChamber'],
  uses: ['disk', 'network'],
  options: Options,
  async setup ({ kernel, options, log, printers, events, folder, provide, onClose }) {
    const { url } = options
    if (url === undefined) return provide('externalChamber', NONE)
    const password = await passwordOf(options)
    if (password !== undefined) kernel.maskSecret(password)
    const { createMonitor } = await import('./monitor.js') // loads the MQTT library only when it is needed
    const store = await openJsonStore(join(await folder(), 'target.json'), {
      schema: Stored, initial: { serial: '', celsius: 0 }, warn: message => log.warn(message)
    })
    const isWanted = () => printers.sessions.some(session => serves(session) && isActive(session.state?.job.gcodeState ?? ''))
    const monitor: Monitor = createMonitor({ options: { ...options, url }, password, isWanted, log })
    onClose(monitor.close)

    // Which printer is in the chamber does not depend on which is connected, and a new name does not change it.
    const here = () => options.printer ?? kernel.config.defaultPrinter ?? printers.names[0]
    const isConfigured = (serial: string) => printers.names.some(name => printers.config(name)?.serial === serial)
    let found: string | undefined
    const serialHere = () => {
      found ??= printers.config(here() ?? '')?.serial ?? (isConfigured(store.get().serial) ? store.get().serial : undefined)
      return found
    }
    const isHere = ({ config: { serial } }: PrinterSession) => serial === serialHere()
    const serves = (session: PrinterSession) => isHere(session) && session.model.chamberHeater === null
    const measures = ({ state }: PrinterSession) => state?.heat.chamber.sensor === true
    provide('externalChamber', {
      serves,
      reading: session => isHere(session) && !measures(session) ? monitor.reading : undefined,
      onReading: listen => monitor.events.on('reading', listen)
    })
    const target = new ChamberTarget({
      monitor, store, serves, warn: error => log.warn({ err: error }, 'the target of the chamber cannot be stored')
    })
    // Before the first command nothing is published: a restart must not switch a heater off during a job.
    printers.eachLocal(session => session.events.on('state', () => target.see(session)))
    const leaveIfGone = () => {
      const { serial } = store.get()
      if (serial !== '' && (serial !== serialHere() || !isConfigured(serial))) target.leave()
      if (found !== undefined && !isConfigured(found)) found = undefined
    }
    let timer = setTimeout(leaveIfGone, GONE_AFTER_MS).unref()
    events.on('printer:forgotten', () => {
      clearTimeout(timer)
      timer = setTimeout(leaveIfGone, GONE_AFTER_MS).unref()
    })
    onClose(() => clearTimeout(timer))
  }
})
