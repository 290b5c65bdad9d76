import type { FastifyRequest } from 'fastify'
import { BadInput, type Kernel } from '../../core/index.js'
import type { Hub } from './hub.js'

/** A client's subscription: `?printer=…&topics=alerts,state`, and where to continue after a reconnect. */
export interface Wanted {
  readonly topics: ReadonlySet<string>
  readonly printer: string | undefined
  readonly since: string | undefined
}

const textOf = (value: unknown): string | undefined => {
  const text = Array.isArray(value) ? value.join(',') : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** @throws PRN_ERR_BAD_INPUT for a topic or printer that there is not */
export function wanted ({ query, headers }: FastifyRequest, { topics }: Hub, { printers }: Kernel): Wanted {
  const given = query as Readonly<Record<string, unknown>>
  const names = topics.map(({ name }) => name)
  const chosen = textOf(given.topics)?.split(',').map(name => name.trim()) ?? names
  const unknown = chosen.find(name => !names.includes(name))
  if (unknown !== undefined) throw new BadInput(`topics must be among ${names.join(', ')}; got '${unknown}'`)
  const printer = textOf(given.printer)
  if (printer !== undefined && !printers.names.includes(printer)) throw new BadInput(`There is no printer '${printer}'`)
  return { topics: new Set(chosen), printer, since: textOf(headers['last-event-id']) ?? textOf(given.last_event_id) }
}
