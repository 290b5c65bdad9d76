import type { Frame } from '../types.js'

/** A reference expires after ten minutes. */
export const REFERENCE_LIFE_MS = 600_000

export interface Reference { readonly jpeg: Buffer, readonly storedAt: number }

/** The reference frame of each printer, shared by the monitor and `analyze_active_job`. In memory only. */
export function createReferences (steady: () => number) {
  const known = new Map<string, Reference>()
  const get = (printer: string): Reference | undefined => {
    const found = known.get(printer)
    if (found && steady() - found.storedAt > REFERENCE_LIFE_MS) known.delete(printer)
    return known.get(printer)
  }
  return {
    get,
    set (printer: string, { jpeg }: Frame): Reference {
      const stored = { jpeg, storedAt: steady() }
      known.set(printer, stored)
      return stored
    },
    drop: (printer: string) => { known.delete(printer) },
    /** Seconds, to one decimal; null without a reference. */
    ageOf: (reference: Reference | undefined): number | null =>
      reference === undefined ? null : Math.round((steady() - reference.storedAt) / 100) / 10
  }
}
export type References = ReturnType<typeof createReferences>
