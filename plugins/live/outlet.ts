import type { Message } from './hub.js'

/** Where messages of one client go. */
export interface Outlet {
  /** Bytes that the client has not taken yet. */
  backlog (): number
  write (message: Message): void
  /** The client does not keep up: it is better told to come back than kept waiting. */
  giveUp (): void
}

/** With more than this waiting, news of which only the newest matters is left out. */
const SLOW_BYTES = 256 * 1024
/** With more than this waiting the client is given up. */
const STUCK_BYTES = 4 * 1024 * 1024

/** Delivers to a client without ever growing a queue for it. */
export const deliverTo = (outlet: Outlet) => (message: Message): void => {
  const waiting = outlet.backlog()
  if (waiting > STUCK_BYTES) return outlet.giveUp()
  if (waiting > SLOW_BYTES && message.id === 0) return
  outlet.write(message)
}
