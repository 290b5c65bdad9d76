// What a plugin is given is its own: what it does with it is known to be its doing.
import type { FastifyBaseLogger } from 'fastify'
import type { Emitter } from '../util/emitter.js'
import type { PluginFaults, FaultGuard } from './plugin-faults.js'
import type { Events } from './plugin.js'
import type { PrinterRegistry } from './registry.js'

/** A hundred printers that report twice a second, with room; more is no news but a loop. */
const MOST_EVENTS = 30_000
const MOST_LINES = 600

/** The events of the application. What a plugin emits beyond all measure is dropped. */
export function ownEvents (pluginFaults: PluginFaults, plugin: string, events: Emitter<Events>): Emitter<Events> {
  const part = pluginFaults.guard(plugin, 'what it emits', '', { most: MOST_EVENTS })
  return {
    on: (event, listener) => pluginFaults.as(plugin, () => events.on(event, listener)),
    once: events.once,
    emit (event, ...args) { if (part.allow()) events.emit(event, ...args) }
  }
}

/** The printers; followers stay known for this plugin's wherever they are added. */
export const ownPrinters = (pluginFaults: PluginFaults, plugin: string, printers: PrinterRegistry): PrinterRegistry =>
  Object.create(printers, {
    each: { value: (follow: Parameters<PrinterRegistry['each']>[0]) => pluginFaults.as(plugin, () => printers.each(follow)) }
  })

const METHODS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** A logger that falls silent for the rest of a minute in which too much was written. */
export function boundedLog (pluginFaults: PluginFaults, plugin: string, log: FastifyBaseLogger): FastifyBaseLogger {
  if (!pluginFaults.isOutside(plugin)) return log
  return bounded(log, pluginFaults.guard(plugin, 'what it logs', '', { most: MOST_LINES }))
}

function bounded (log: FastifyBaseLogger, part: FaultGuard): FastifyBaseLogger {
  const { isLevelEnabled } = log as { isLevelEnabled?: (level: string) => boolean }
  const isWritten = (method: string) => isLevelEnabled?.call(log, method) ?? true
  const write = (method: typeof METHODS[number]) => (...args: unknown[]) => {
    if (isWritten(method) && part.allow()) (log[method] as (...args: unknown[]) => void)(...args)
  }
  return Object.create(log, {
    ...Object.fromEntries(METHODS.map(method => [method, { value: write(method) }])),
    child: { value: (...args: Parameters<FastifyBaseLogger['child']>) => bounded(log.child(...args), part) }
  })
}
