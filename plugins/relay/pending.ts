import type { Peer } from '../printer-servers/index.js'
import type { Client } from './options.js'
import { sequenceIdOf } from './reports.js'

/** The origin of a command. */
export interface PendingCommand {
  readonly peer: Peer<Client>
  readonly sequenceId: unknown
  /** Such as `print.pause`. */
  readonly name: string
}

/** Printers answer at once or never; a later answer goes to all clients unchanged. */
const MOST_AGE_MS = 60_000
const MOST = 1_000

/** Commands sent to the printer, by the relay's own sequence id. */
export function createPending (now: () => number) {
  const commands = new Map<string, PendingCommand & { readonly at: number }>()

  function dropOld (): void {
    for (const [id, { at }] of commands) {
      if (now() - at < MOST_AGE_MS && commands.size <= MOST) return
      commands.delete(id)
    }
  }

  return {
    add (id: string, entry: PendingCommand): void {
      commands.delete(id)
      commands.set(id, { ...entry, at: now() })
      dropOld()
    },
    /** The command that a message answers. Some are answered more than once. */
    match (payload: Uint8Array): PendingCommand | undefined {
      dropOld()
      if (commands.size === 0) return undefined
      const entry = commands.get(sequenceIdOf(payload) ?? '')
      const command = entry?.name.split('.')[1] ?? ''
      return entry !== undefined && Buffer.from(payload).includes(`"${command || 'name'}"`) ? entry : undefined
    },
    clear: () => commands.clear()
  }
}
