/** Printers may report the old setting for this long after they accepted a new one. */
const HOLD_MS = 3_000

/**
 * Settings that were just sent, shown instead of the reported ones until the reports have had time to follow. A second
 * command based on the outdated report would revert the first.
 */
export interface OptimisticSettings<Owner extends object, Settings extends object> {
  set (owner: Owner, sent: Partial<Settings>): void
  /** The printer did not accept them. */
  forget (owner: Owner): void
  /** The reported settings, overridden by those just sent. */
  over (owner: Owner, reported: Settings): Settings
}

export function createOptimisticSettings<Owner extends object, Settings extends object> (now: () => number):
OptimisticSettings<Owner, Settings> {
  const latest = new WeakMap<Owner, { readonly sent: Partial<Settings>, readonly until: number }>()
  return {
    set: (owner, sent) => { latest.set(owner, { sent, until: now() + HOLD_MS }) },
    forget: owner => { latest.delete(owner) },
    over (owner, reported) {
      const known = latest.get(owner)
      return known === undefined || known.until < now() ? reported : { ...reported, ...known.sent }
    }
  }
}
