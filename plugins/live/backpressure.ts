import type { Message } from './message.js'

/** Where messages of one client go. */
export interface Outlet {
  /** Bytes that the client has not taken yet. */
  backlog (): number
  /** @param taken called once the message has left this process */
  write (message: Message, taken: () => void): void
  /** The client does not keep up: it is better told to come back than kept waiting. */
  giveUp (): void
}

/** With more than this waiting, messages of which only the newest matters have to wait, and a newer one replaces it. */
export const SLOW_BYTES = 256 * 1024
/** With more than this waiting the client is given up. */
export const STUCK_BYTES = 4 * 1024 * 1024

/**
 * Delivers to a client without ever growing a queue for it: what counts is sent up to a bound, of the rest only
 * the newest of each printer is held back until the client has caught up.
 */
export function deliverTo (outlet: Outlet): (message: Message) => void {
  const held = new Map<string, Message>()
  let given = false

  /** Called whenever something has left, so nothing stays held for ever. */
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
    if (message.count > 0) return outlet.write(message, taken)
    const key = `${message.topic}\n${message.printer}`
    if (waiting > SLOW_BYTES) {
      held.set(key, message)
      return
    }
    held.delete(key) // an older one must not come after this one
    outlet.write(message, taken)
  }
}
