import { BadInput, ShuttingDown } from '../errors.js'
import type { RunningSession } from '../printer/index.js'
import type { PrinterConfig, PrinterSession } from '../printer/types.js'
import type { Dispose } from '../util/emitter.js'
import { createFollowers, type Follow } from './followers.js'
import type { PrinterList } from './printer-list.js'

export interface RunningSessionsDeps {
  /** @param check throws while nothing may be sent */
  readonly create: (config: PrinterConfig, check: () => void) => RunningSession
  readonly onAdded: (session: PrinterSession) => void
  readonly onRemoved: (name: string) => void
  /** Gets every error of followers that belong to no plugin, and of starting a session. */
  readonly onFollowerError: (error: unknown, printer: string) => void
}

export type RunningSessions = ReturnType<typeof createRunningSessions>

/**
 * The running sessions, at most one for each printer. The caller must serialise the starts and ends of each printer.
 * @param admit throws if a session with a printer of this service must not start, or nothing may be sent to it
 */
export function createRunningSessions (list: PrinterList, deps: RunningSessionsDeps, admit: (name: string) => void) {
  const running = new Map<string, RunningSession>()
  const followers = createFollowers(deps.onFollowerError)
  let closed = false

  const all = (): readonly PrinterSession[] => list.names
    .map(name => running.get(name)?.session)
    .filter(session => session !== undefined)

  return {
    /** In the order of the list. */
    all,
    get names (): readonly string[] { return [...running.keys()] },
    get: (name: string): PrinterSession | undefined => running.get(name)?.session,
    follow: (follow: Follow): Dispose => followers.add(follow, all()),
    /** @throws why no session may start */
    begin (name: string): PrinterSession {
      if (closed) throw new ShuttingDown()
      const config = list.config(name)
      if (!config) throw new BadInput(`Printer '${name}' is not configured`)
      const make = list.adopted(name)?.make
      if (make === undefined) admit(name)
      const made = make?.() ?? deps.create(config, () => admit(name))
      running.set(name, made)
      followers.begun(made.session)
      made.start()
      deps.onAdded(made.session)
      return made.session
    },
    async end (name: string): Promise<void> {
      const gone = running.get(name)
      if (!gone) return
      running.delete(name)
      followers.ended(name)
      try {
        await gone.end()
      } finally {
        deps.onRemoved(name)
      }
    },
    /** Prevents further sessions. */
    close (): void { closed = true },
    get closed (): boolean { return closed }
  }
}
