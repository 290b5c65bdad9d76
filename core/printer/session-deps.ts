import type { FastifyBaseLogger } from 'fastify'
import type { Timeouts } from './timeouts.js'
import type { StartStore } from './state/context.js'
import type { PinStore, PrinterSession } from './types.js'

export interface SessionDeps {
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Writes raw payloads while a session is verbose. */
  readonly wire: FastifyBaseLogger
  readonly pins: PinStore
  /** Stores the last start, to survive a restart of the service. */
  readonly starts?: StartStore
  /** Throws while nothing may be sent. */
  readonly check?: () => void
  /** The text of a refusal with this error number and reason. */
  readonly explain: (errorNumber: number, reason: string) => string
  /** Overrides of {@link TIMEOUTS}. */
  readonly timeouts?: Partial<Timeouts>
}

/** A session with the functions that start and end it; only the registry holds these. */
export interface RunningSession {
  readonly session: PrinterSession
  /** Connects in the background and reconnects until `end`. */
  start (): void
  end (): Promise<void>
}
