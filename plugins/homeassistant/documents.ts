import type { Entity, View } from './entities/index.js'
import { idOf, type PrinterTopics, type Topics } from './topics.js'

const PRODUCT = 'prnd'
const MAKER = 'Bambu Lab'

/** Home Assistant rejects longer states. */
const LONGEST_STATE = 255

/** Platforms of entities by their keys. */
export type Components = Readonly<Record<string, string>>

export const componentsOf = (entities: readonly Entity[]): Components =>
  Object.fromEntries(entities.map(({ key, platform }) => [key, platform]))

const componentOf = (entity: Entity, id: string, view: View, topics: PrinterTopics) => ({
  platform: entity.platform,
  unique_id: `${PRODUCT}_${id}_${entity.key}`,
  name: entity.name,
  ...(typeof entity.config === 'function' ? entity.config(view, topics) : entity.config)
})

interface Announcement {
  readonly view: View
  readonly entities: readonly Entity[]
  readonly topics: Topics
  readonly version: string
  /** Announced earlier; a removed component must be listed once more with only its platform. */
  readonly before: Components
}

/** The device discovery of a printer. */
export function discoveryDocument ({ view, entities, topics, version, before }: Announcement): object {
  const { session: { name, model, config: { serial } }, state } = view
  const id = idOf(serial)
  const own = topics.of(id)
  return {
    device: {
      identifiers: [`${PRODUCT}_${id}`],
      name,
      manufacturer: MAKER,
      model: model.name,
      serial_number: serial,
      ...(state.firmware.printer !== '' && { sw_version: state.firmware.printer })
    },
    origin: { name: PRODUCT, sw_version: version },
    availability: [{ topic: topics.status }, { topic: own.availability }],
    availability_mode: 'all',
    state_topic: own.state,
    qos: 1,
    components: {
      ...Object.fromEntries(Object.entries(before).map(([key, platform]) => [key, { platform }])),
      ...Object.fromEntries(entities.map(entity => [entity.key, componentOf(entity, id, view, own)]))
    }
  }
}

/** Changes whenever the discovery changes, but is cheaper to compute. */
export const signatureOf = ({ session: { name, model }, state }: View, entities: readonly Entity[]): string =>
  [name, model.model, state.firmware.printer, ...entities.map(({ key }) => key)].join('\n')

/** The state of a printer: one member for each entity with a value. */
export function stateDocument (view: View, entities: readonly Entity[]): Record<string, unknown> {
  const document: Record<string, unknown> = {}
  for (const { key, value } of entities) {
    const shown = value?.(view)
    if (shown !== undefined) document[key] = typeof shown === 'string' ? shown.slice(0, LONGEST_STATE) : shown
  }
  return document
}
