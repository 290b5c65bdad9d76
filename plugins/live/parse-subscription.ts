import type { FastifyRequest } from 'fastify'
import { BadInput, sees, type Kernel } from '../../core/index.js'
import type { Hub } from './hub.js'

/** A client's subscription (`?printer=…&topics=alerts,state`), and where to resume after a reconnect. */
export interface Subscription {
  readonly topics: ReadonlySet<string>
  readonly printer: string | undefined
  /** Whether the client may see a printer. */
  readonly sees: (printer: string) => boolean
  readonly since: string | undefined
  /** It wants to be told that the connection still exists. */
  readonly wantsHeartbeat: boolean
}

const textOf = (value: unknown): string | undefined => {
  const text = Array.isArray(value) ? value.join(',') : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** @throws PRN_ERR_BAD_INPUT for an unknown topic or printer */
export function parseSubscription (request: FastifyRequest, { topics }: Hub,
  { printers, services: { http } }: Kernel): Subscription {
  const { query, headers } = request
  const caller = http.callerOf(request)
  const given = query as Readonly<Record<string, unknown>>
  const names = topics.map(({ name }) => name)
  const chosen = textOf(given.topics)?.split(',').map(name => name.trim()) ?? names
  const unknown = chosen.find(name => !names.includes(name))
  if (unknown !== undefined) throw new BadInput(`topics must be among ${names.join(', ')}; got '${unknown}'`)
  const printer = textOf(given.printer)
  const isKnown = printer === undefined || (printers.names.includes(printer) && sees(caller, printer))
  if (!isKnown) throw new BadInput(`There is no printer '${printer}'`)
  return {
    topics: new Set(chosen),
    printer,
    sees: name => sees(caller, name),
    since: textOf(headers['last-event-id']) ?? textOf(given.last_event_id),
    wantsHeartbeat: textOf(given.heartbeat) === 'true'
  }
}
