import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js'

/** Levels of log messages, in the order of weight. Source: the protocol, which took them from RFC 5424. */
const LEVELS: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const weightOf = (level: LoggingLevel) => LEVELS.indexOf(level)

/** Whether a message weighs as much as the least that is wanted. */
export const isHeard = (level: LoggingLevel, least: LoggingLevel): boolean => weightOf(level) >= weightOf(least)

/** A message that an agent gets without having asked for it. */
export interface LogMessage {
  readonly level: LoggingLevel
  /** Which part of the service it comes from. */
  readonly logger: string
  readonly data: object
}

/** How one client is notified. */
export interface ClientSink {
  log (message: LogMessage): Promise<void>
  /** Which resources there are has changed. */
  resourcesChanged (): Promise<void>
}

/** Every client that is connected now, whatever it is connected by. */
export interface ClientRegistry {
  readonly size: number
  join (client: object, sink: ClientSink): void
  leave (client: object): void
  /** From now on the client gets messages of this level and above. */
  setLevel (client: object, level: LoggingLevel): void
  /** @returns undefined while the client has not asked for a level */
  wantsLevel (client: object, level: LoggingLevel): boolean | undefined
  /** Sends it to every client that asked for messages of this level. */
  tell (message: LogMessage): void
  resourcesChanged (): void
}

const ignore = () => {} // the client may be gone

export function createClientRegistry (): ClientRegistry {
  const sinks = new Map<object, ClientSink>()
  const levels = new Map<object, LoggingLevel>()

  function wantsLevel (client: object, level: LoggingLevel): boolean | undefined {
    const least = levels.get(client)
    return least === undefined ? undefined : isHeard(level, least)
  }

  return {
    get size () { return sinks.size },
    join (client, sink) { sinks.set(client, sink) },
    leave (client) {
      sinks.delete(client)
      levels.delete(client)
    },
    setLevel (client, level) { levels.set(client, level) },
    wantsLevel,
    tell (message) {
      for (const [client, sink] of sinks) {
        if (wantsLevel(client, message.level) === true) sink.log(message).catch(ignore)
      }
    },
    resourcesChanged () {
      for (const sink of sinks.values()) sink.resourcesChanged().catch(ignore)
    }
  }
}
