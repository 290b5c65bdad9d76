/** Identifies a printer in topics and ids: its serial number, which a rename does not change. */
export const idOf = (serial: string): string => serial.replaceAll(/[^\w-]/g, '-')

export const ONLINE = 'online'
export const OFFLINE = 'offline'

/** Retained topics of one printer, and the topic of its alerts. */
export interface PrinterTopics {
  readonly discovery: string
  readonly availability: string
  readonly state: string
  readonly image: string
  readonly alert: string
  /** Topic for commands to an entity. */
  command (entity: string): string
}

export interface Topics {
  /** Availability of the service itself. */
  readonly status: string
  /** Birth message of Home Assistant. */
  readonly birth: string
  /** Wildcard for all commands to all printers. */
  readonly commands: string
  of (id: string): PrinterTopics
  /** Parses a command topic; undefined for any other. */
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
