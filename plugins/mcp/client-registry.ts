import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js'
import { sees, type Caller } from '../../core/index.js'

/** Log levels from least to most severe. Source: the protocol, which took them from RFC 5424. */
const LEVELS: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const severityOf = (level: LoggingLevel) => LEVELS.indexOf(level)

export const isAtLeast = (level: LoggingLevel, least: LoggingLevel): boolean => severityOf(level) >= severityOf(least)

/** A log message sent to agents unprompted. */
export interface LogMessage {
  readonly level: LoggingLevel
  /** Which part of the service it comes from. */
  readonly logger: string
  readonly data: object
  /** The printer concerned: clients without access to it do not get the message. */
  readonly printer: string
}

export interface ClientSink {
  log (message: Omit<LogMessage, 'printer'>): Promise<void>
  /** The list of resources has changed. */
  resourcesChanged (): Promise<void>
}

/** Every connected client, whatever the transport. */
export interface ClientRegistry {
  readonly size: number
  join (client: object, sink: ClientSink): void
  leave (client: object): void
  /** The client then gets messages of this level and above, about printers that its caller may see. */
  setLevel (client: object, level: LoggingLevel, caller: Caller | undefined): void
  /** @returns undefined if the client has not set a level */
  wantsLevel (client: object, level: LoggingLevel): boolean | undefined
  /** Sends it to every client whose level includes it and who may see the printer. */
  log (message: LogMessage): void
  resourcesChanged (): void
}

const ignore = () => {} // the client may be gone

export function createClientRegistry (): ClientRegistry {
  const sinks = new Map<object, ClientSink>()
  const subscriptions = new Map<object, { readonly level: LoggingLevel, readonly caller: Caller | undefined }>()

  function wantsLevel (client: object, level: LoggingLevel): boolean | undefined {
    const least = subscriptions.get(client)?.level
    return least === undefined ? undefined : isAtLeast(level, least)
  }

  return {
    get size () { return sinks.size },
    join (client, sink) { sinks.set(client, sink) },
    leave (client) {
      sinks.delete(client)
      subscriptions.delete(client)
    },
    setLevel (client, level, caller) { subscriptions.set(client, { level, caller }) },
    wantsLevel,
    log ({ printer, ...message }) {
      for (const [client, sink] of sinks) {
        const isAddressed = wantsLevel(client, message.level) === true &&
          sees(subscriptions.get(client)?.caller, printer)
        if (isAddressed) sink.log(message).catch(ignore)
      }
    },
    resourcesChanged () {
      for (const sink of sinks.values()) sink.resourcesChanged().catch(ignore)
    }
  }
}
