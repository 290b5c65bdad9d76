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
  /** Gets every error in what follows a printer for no plugin, or in beginning its session. */
  readonly onFollowerError: (error: unknown, printer: string) => void
}

export type RunningSessions = ReturnType<typeof createRunningSessions>

/**
 * The sessions that there are, at most one for each printer. The caller must begin and end those of one printer one
 * after the other.
 * @param admit throws where no session with a printer of this service may begin, or nothing may be sent to it
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
    /** @throws why none may begin */
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
    /** From now on none begins. */
    close (): void { closed = true },
    get closed (): boolean { return closed }
  }
}
