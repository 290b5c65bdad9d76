import type { Message } from './message.js'

/** The connection of one client. */
export interface Sink {
  /** Unsent bytes. */
  backlog (): number
  /** @param taken called once the message was handed to the system */
  write (message: Message, taken: () => void): void
  /** Disconnects a client that does not keep up, so that it reconnects. */
  giveUp (): void
}

/** Above this backlog, messages of which only the newest matters wait, and a newer one replaces them. */
export const SLOW_BYTES = 256 * 1024
/** Above this backlog, the client is disconnected. */
export const STUCK_BYTES = 4 * 1024 * 1024

/**
 * Delivers to a client with bounded memory: replayable messages are sent up to a limit; of the others, only the newest
 * of each printer is held back until the client catches up.
 */
export function withBackpressure (sink: Sink): (message: Message) => void {
  const held = new Map<string, Message>()
  let given = false

  /** Called whenever a message was handed over, so that nothing is held forever. */
  function taken (): void {
    for (const [key, message] of held) {
      if (given || sink.backlog() > SLOW_BYTES) return
      held.delete(key)
      sink.write(message, taken)
    }
  }

  return message => {
    if (given) return
    const waiting = sink.backlog()
    if (waiting > STUCK_BYTES) {
      given = true
      held.clear()
      return sink.giveUp()
    }
    if (message.count > 0) return sink.write(message, taken)
    const key = `${message.topic}\n${message.printer}`
    if (waiting > SLOW_BYTES) {
      held.set(key, message)
      return
    }
    held.delete(key) // an older one must not be sent after this one
    sink.write(message, taken)
  }
}
