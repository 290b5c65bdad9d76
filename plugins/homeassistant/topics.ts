/** The part of topics and ids that stands for a printer: its serial number, which no rename changes. */
export const idOf = (serial: string): string => serial.replaceAll(/[^\w-]/g, '-')

export const ONLINE = 'online'
export const OFFLINE = 'offline'

/** Topics that the broker keeps for one printer, and the one for its alerts. */
export interface PrinterTopics {
  readonly discovery: string
  readonly availability: string
  readonly state: string
  readonly image: string
  readonly alert: string
  /** Where commands for an entity come in. */
  command (entity: string): string
}

export interface Topics {
  /** Whether the service itself is there. */
  readonly status: string
  /** Where Home Assistant says that it has begun. */
  readonly birth: string
  /** Every command to every printer. */
  readonly commands: string
  of (id: string): PrinterTopics
  /** What a topic that came in by `commands` means; undefined for any other. */
  target (topic: string): { readonly id: string, readonly entity: string } | undefined
}

export function topicsOf ({ discoveryPrefix, topicPrefix }: {
  readonly discoveryPrefix: string
  readonly topicPrefix: string
}): Topics {
  return {
    status: `${topicPrefix}/status`,
    birth: `${discoveryPrefix}/status`,
    commands: `${topicPrefix}/+/+/set`,
    of (id) {
      const own = `${topicPrefix}/${id}`
      return {
        discovery: `${discoveryPrefix}/device/prnd_${id}/config`,
        availability: `${own}/availability`,
        state: `${own}/state`,
        image: `${own}/image`,
        alert: `${own}/alert`,
        command: entity => `${own}/${entity}/set`
      }
    },
    target (topic) {
      if (!topic.startsWith(`${topicPrefix}/`)) return undefined
      const [id, entity, set, ...more] = topic.slice(topicPrefix.length + 1).split('/')
      if (id === undefined || entity === undefined || set !== 'set' || more.length > 0) return undefined
      return { id, entity }
    }
  }
}
