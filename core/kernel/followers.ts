import type { PrinterSession } from '../printer/types.js'
import type { Dispose } from '../util/emitter.js'
import { currentContext } from '../util/execution-context.js'

/** Called for a session; the returned function is called when that session ends. */
export type Follow = (session: PrinterSession) => Dispose | void

interface Follower {
  readonly follow: Follow
  /** Cleanup functions by printer name, called when the printer's session ends. */
  readonly undo: Map<string, Dispose>
}

/** A plugin's follower is attributed to it, and so is everything that it registers. */
function attributed (follow: Follow): Follow {
  const guard = currentContext()?.guard('follower of printers', '')
  if (guard === undefined) return follow
  return session => {
    const where = { printer: session.name }
    const dispose: unknown = guard.run(() => follow(session), where)
    return typeof dispose === 'function' ? () => { guard.run(dispose as Dispose, where) } : undefined
  }
}

/**
 * Callbacks for the lifetime of every session. A failing one does not affect the others.
 * @param onError gets every error of a follower
 */
export function createFollowers (onError: (error: unknown, printer: string) => void) {
  const followers = new Set<Follower>()

  function guarded (printer: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      onError(error, printer)
    }
  }

  function attach ({ follow, undo }: Follower, session: PrinterSession): void {
    guarded(session.name, () => {
      const dispose: unknown = follow(session)
      if (typeof dispose === 'function') undo.set(session.name, dispose as Dispose)
      if (dispose instanceof Promise) dispose.catch(error => onError(error, session.name))
    })
  }

  function detach ({ undo }: Follower, name: string): void {
    guarded(name, () => undo.get(name)?.())
    undo.delete(name)
  }

  return {
    /** Follows these sessions and all later ones. @returns ends that for all of them */
    add (follow: Follow, present: readonly PrinterSession[]): Dispose {
      const follower: Follower = { follow: attributed(follow), undo: new Map() }
      followers.add(follower)
      for (const session of present) attach(follower, session)
      return () => {
        followers.delete(follower)
        for (const name of [...follower.undo.keys()]) detach(follower, name)
      }
    },
    begun (session: PrinterSession): void {
      for (const follower of [...followers]) attach(follower, session)
    },
    ended (name: string): void {
      for (const follower of [...followers]) detach(follower, name)
    }
  }
}
