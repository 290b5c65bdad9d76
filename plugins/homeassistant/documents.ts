import type { Entity, View } from './entities/index.js'
import { idOf, type PrinterTopics, type Topics } from './topics.js'

const PRODUCT = 'prnd'
const MAKER = 'Bambu Lab'

/** Home Assistant takes no longer states. */
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
  /** What was announced before: what is gone must be named once more, without anything but its platform. */
  readonly before: Components
}

/** The device discovery of a printer. */
export function discoveryOf ({ view, entities, topics, version, before }: Announcement): object {
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

/** Changes when the discovery changes, and costs less. */
export const signatureOf = ({ session: { name, model }, state }: View, entities: readonly Entity[]): string =>
  [name, model.model, state.firmware.printer, ...entities.map(({ key }) => key)].join('\n')

/** What the entities of a printer show: one member for each that shows something. */
export function stateOf (view: View, entities: readonly Entity[]): Record<string, unknown> {
  const document: Record<string, unknown> = {}
  for (const { key, value } of entities) {
    const shown = value?.(view)
    if (shown !== undefined) document[key] = typeof shown === 'string' ? shown.slice(0, LONGEST_STATE) : shown
  }
  return document
}
