import { setImmediate } from 'node:timers/promises'
import { ManagedInSpoolman } from '../errors.js'
import type { Existing, InventoryStore } from '../inventory-store.js'
import { planImport, type ImportPlan } from './plan-import.js'
import { readRecords, type Format } from './records.js'
import { readSource, type Problem } from './source-rows.js'

/** Problems that an answer names; others are counted. */
const MOST_PROBLEMS = 1_000

export interface ImportOptions {
  readonly text: string
  /** False: only say what would be done. */
  readonly apply: boolean
  /** Import the other rows although some cannot be read. */
  readonly skipBroken: boolean
  readonly by: string
  readonly at: number
}

export interface ImportResult extends Pick<ImportPlan, 'added' | 'changed' | 'unchanged'> {
  readonly format: Format
  readonly rows: number
  readonly broken: number
  readonly problems: readonly Problem[]
  readonly ignored: readonly string[]
  readonly newTypes: number
  readonly newPlaces: number
  readonly isApplied: boolean
}

/** Reads a list of spools, and imports it when that is wanted and every row can be read. */
export async function importSpools (
  rows: InventoryStore, isOurs: boolean, { text, apply, skipBroken, by, at }: ImportOptions
): Promise<ImportResult> {
  if (!isOurs) throw new ManagedInSpoolman()
  const source = readSource(text)
  await setImmediate() // lets other requests run in between: a long list takes some tenths of a second
  const { format, records, problems, ignored } = readRecords(source)
  const isApplied = apply && (problems.length === 0 || skipBroken)
  const planFor = (existing: Existing): ImportPlan => planImport(records, existing, { by, at })
  const plan = isApplied ? await rows.putAll(planFor) : planFor(await rows.existing())
  const { added, changed, unchanged } = plan
  return {
    format,
    rows: source.rows.length,
    added,
    changed,
    unchanged,
    broken: new Set(problems.map(({ line }) => line)).size,
    problems: problems.slice(0, MOST_PROBLEMS),
    ignored,
    newTypes: plan.types.length,
    newPlaces: plan.places.length,
    isApplied
  }
}
