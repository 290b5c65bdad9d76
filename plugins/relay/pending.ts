import type { Peer } from '../printer-servers/index.js'
import type { Client } from './options.js'
import { sequenceIdOf } from './reports.js'

/** Who asked, and by what number. */
export interface Asker {
  readonly peer: Peer<Client>
  readonly sequenceId: unknown
  /** Such as `print.pause`. */
  readonly name: string
}

/** Printers answer at once or never; what comes later goes to everybody alike. */
const KEPT_MS = 60_000
const MOST = 1_000

/** Commands that were passed on, by the sequence id that the printer was given. */
export function createPending (now: () => number) {
  const askers = new Map<string, Asker & { readonly at: number }>()

  function dropOld (): void {
    for (const [id, { at }] of askers) {
      if (now() - at < KEPT_MS && askers.size <= MOST) return
      askers.delete(id)
    }
  }

  return {
    add (id: string, asker: Asker): void {
      askers.delete(id)
      askers.set(id, { ...asker, at: now() })
      dropOld()
    },
    /** Whose command a message answers. Some are answered more than once. */
    match (payload: Uint8Array): Asker | undefined {
      dropOld()
      if (askers.size === 0) return undefined
      const asker = askers.get(sequenceIdOf(payload) ?? '')
      const command = asker?.name.split('.')[1] ?? ''
      return asker !== undefined && Buffer.from(payload).includes(`"${command || 'name'}"`) ? asker : undefined
    },
    clear: () => askers.clear()
  }
}
