// What a plugin is given is its own: what it does with it is known to be its doing.
import type { FastifyBaseLogger } from 'fastify'
import type { Emitter } from './emitter.js'
import type { Isolation, Part } from './isolate.js'
import type { Events } from './plugin.js'
import type { PrinterRegistry } from './registry.js'

/** A hundred printers that report twice a second, with room; more is no news but a loop. */
const MOST_EVENTS = 30_000
const MOST_LINES = 600

/** The events of the application. What a plugin emits beyond all measure is dropped. */
export function ownEvents (isolation: Isolation, plugin: string, events: Emitter<Events>): Emitter<Events> {
  const part = isolation.part(plugin, 'what it emits', '', { most: MOST_EVENTS })
  return {
    on: (event, listener) => isolation.as(plugin, () => events.on(event, listener)),
    once: events.once,
    emit (event, ...args) { if (part.allow()) events.emit(event, ...args) }
  }
}

/** The printers; followers stay known for this plugin's wherever they are added. */
export const ownPrinters = (isolation: Isolation, plugin: string, printers: PrinterRegistry): PrinterRegistry =>
  Object.create(printers, {
    each: { value: (follow: Parameters<PrinterRegistry['each']>[0]) => isolation.as(plugin, () => printers.each(follow)) }
  })

const METHODS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** A logger that falls silent for the rest of a minute in which too much was written. */
export function boundedLog (isolation: Isolation, plugin: string, log: FastifyBaseLogger): FastifyBaseLogger {
  if (!isolation.isOutside(plugin)) return log
  return bounded(log, isolation.part(plugin, 'what it logs', '', { most: MOST_LINES }))
}

function bounded (log: FastifyBaseLogger, part: Part): FastifyBaseLogger {
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
