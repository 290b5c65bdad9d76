import type { Message } from './message.js'

/** The connection of one client. */
export interface Outlet {
  /** Bytes not yet accepted by the client. */
  backlog (): number
  /** @param taken called once the message has left this process */
  write (message: Message, taken: () => void): void
  /** The client is too slow: it is disconnected and may reconnect. */
  giveUp (): void
}

/** Above this backlog, latest-only messages are held back and replaced by newer ones. */
export const SLOW_BYTES = 256 * 1024
/** Above this backlog the client is disconnected. */
export const STUCK_BYTES = 4 * 1024 * 1024

/**
 * Delivers to a client with a bounded backlog: replayable messages are sent up to the bound; of the others only
 * the latest per printer is held back until the client has caught up.
 */
export function deliverTo (outlet: Outlet): (message: Message) => void {
  const held = new Map<string, Message>()
  let given = false

  /** Called whenever data was written, so that held messages are sent. */
  function taken (): void {
    for (const [key, message] of held) {
      if (given || outlet.backlog() > SLOW_BYTES) return
      held.delete(key)
      outlet.write(message, taken)
    }
  }

  return message => {
    if (given) return
    const waiting = outlet.backlog()
    if (waiting > STUCK_BYTES) {
      given = true
      held.clear()
      return outlet.giveUp()
    }
    if (waiting > SLOW_BYTES && message.count === 0) held.set(`${message.topic}\n${message.printer}`, message)
    else outlet.write(message, taken)
  }
}
