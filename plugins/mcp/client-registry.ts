import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js'
import { sees, type Caller } from '../../core/index.js'

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
  /** Which printer it is about: clients that may not see it are not told. */
  readonly printer: string
}

/** How one client is notified. */
export interface ClientSink {
  log (message: Omit<LogMessage, 'printer'>): Promise<void>
  /** Which resources there are has changed. */
  resourcesChanged (): Promise<void>
}

/** Every client that is connected now, whatever it is connected by. */
export interface ClientRegistry {
  readonly size: number
  join (client: object, sink: ClientSink): void
  leave (client: object): void
  /** From now on the client gets messages of this level and above, about printers that its caller sees. */
  setLevel (client: object, level: LoggingLevel, caller: Caller | undefined): void
  /** @returns undefined while the client has not asked for a level */
  wantsLevel (client: object, level: LoggingLevel): boolean | undefined
  /** Sends it to every client that asked for messages of this level. */
  tell (message: LogMessage): void
  resourcesChanged (): void
}

const ignore = () => {} // the client may be gone

export function createClientRegistry (): ClientRegistry {
  const sinks = new Map<object, ClientSink>()
  const wanted = new Map<object, { readonly level: LoggingLevel, readonly caller: Caller | undefined }>()

  function wantsLevel (client: object, level: LoggingLevel): boolean | undefined {
    const least = wanted.get(client)?.level
    return least === undefined ? undefined : isHeard(level, least)
  }

  return {
    get size () { return sinks.size },
    join (client, sink) { sinks.set(client, sink) },
    leave (client) {
      sinks.delete(client)
      wanted.delete(client)
    },
    setLevel (client, level, caller) { wanted.set(client, { level, caller }) },
    wantsLevel,
    tell ({ printer, ...message }) {
      for (const [client, sink] of sinks) {
        const isTold = wantsLevel(client, message.level) === true && sees(wanted.get(client)?.caller, printer)
        if (isTold) sink.log(message).catch(ignore)
      }
    },
    resourcesChanged () {
      for (const sink of sinks.values()) sink.resourcesChanged().catch(ignore)
    }
  }
}
