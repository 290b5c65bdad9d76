import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js'

/** Levels of log messages, in the order of weight. Source: the protocol, which took them from RFC 5424. */
const LEVELS: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const weightOf = (level: LoggingLevel) => LEVELS.indexOf(level)

/** What an agent may want to hear without having asked a question. */
export interface LogMessage {
  readonly level: LoggingLevel
  /** Which part of the service speaks. */
  readonly logger: string
  readonly data: object
}

/** How the audience reaches one client. */
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
  /** From now on the client hears messages of this weight and above. */
  setLevel (client: object, level: LoggingLevel): void
  /** @returns undefined while the client has not asked for a level */
  hears (client: object, level: LoggingLevel): boolean | undefined
  /** Tells everybody who asked for messages of this weight. */
  tell (message: LogMessage): void
  resourcesChanged (): void
}

const ignore = () => {} // the client may be gone

export function createClientRegistry (): ClientRegistry {
  const ears = new Map<object, ClientSink>()
  const levels = new Map<object, number>()

  function hears (client: object, level: LoggingLevel): boolean | undefined {
    const wanted = levels.get(client)
    return wanted === undefined ? undefined : weightOf(level) >= wanted
  }

  return {
    get size () { return ears.size },
    join (client, sink) { ears.set(client, sink) },
    leave (client) {
      ears.delete(client)
      levels.delete(client)
    },
    setLevel (client, level) { levels.set(client, weightOf(level)) },
    hears,
    tell (message) {
      for (const [client, sink] of ears) if (hears(client, message.level) === true) sink.log(message).catch(ignore)
    },
    resourcesChanged () {
      for (const sink of ears.values()) sink.resourcesChanged().catch(ignore)
    }
  }
}
