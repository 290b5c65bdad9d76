import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import type { StartRecord, StartStore } from '../printer/state/context.js'
import { openJsonStore } from '../util/json-store.js'

const Shown = Type.Object({
  gcodeState: Type.String(),
  taskId: Type.String(),
  subtaskId: Type.String(),
  subtaskName: Type.String(),
  printError: Type.Number()
})

const Start = Type.Object({
  taskId: Type.String(),
  subtaskName: Type.String(),
  at: Type.Number(),
  accepted: Type.Boolean(),
  before: Type.Optional(Shown),
  outcome: Type.Optional(Type.Enum(
    ['began', 'other', 'ended', 'failed', 'refused', 'restarted', 'given_up'])),
  printError: Type.Number()
})

/** By serial number. */
const Starts = Type.Record(Type.String(), Start)

/** Limit of printers, including former ones; the oldest are dropped. */
const MAX_STORED = 1_000

const newest = (starts: Static<typeof Starts>): Static<typeof Starts> => {
  const entries = Object.entries(starts)
  if (entries.length <= MAX_STORED) return starts
  return Object.fromEntries(entries.toSorted(([, a], [, b]) => b.at - a.at).slice(0, MAX_STORED))
}

/** The last start of each printer, so that a pending one is still pending after a restart of the service. */
export async function openStartRecords (dataDir: string, warn: (message: string) => void):
Promise<StartStore & { settled (): Promise<void> }> {
  const file = await openJsonStore(join(dataDir, 'starts.json'), { schema: Starts, initial: {}, warn })
  return {
    get (serial) {
      const { [serial]: found } = file.get()
      return found && { before: undefined, outcome: undefined, ...found } as StartRecord
    },
    set: (serial, start) => file.set(newest({ ...file.get(), [serial]: start as Static<typeof Start> })),
    settled: file.settled
  }
}
