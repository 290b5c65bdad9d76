/** Something that must raise an alert, or an alert that was raised. */
export interface Entry {
  readonly printer: string
  readonly type: string
  /** Which one of its type: the digits of a code; empty where there is nothing to tell. */
  readonly detail: string
}

export interface Balance {
  readonly lost: readonly string[]
  readonly untrue: readonly string[]
  readonly matched: number
}

const keyOf = ({ printer, type, detail }: Entry) => `${printer} ${type} ${detail}`.trim()

function countOf (entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1)
  return counts
}

const excess = (more: Map<string, number>, less: Map<string, number>): string[] => [...more]
  .map(([key, count]) => [key, count - (less.get(key) ?? 0)] as const)
  .filter(([, count]) => count > 0).map(([key, count]) => count === 1 ? key : `${key} ×${count}`)

/**
 * What was due against what came.
 * @param may what may come and need not: between two reports some of it is over before anybody can see it
 */
export function balance (due: readonly Entry[], came: readonly Entry[], may: readonly Entry[]): Balance {
  const [dueCount, cameCount] = [countOf(due), countOf(came)]
  const lost = excess(dueCount, cameCount)
  const untrue = excess(cameCount, countOf([...due, ...may]))
  const matched = [...dueCount].reduce((sum, [key, count]) => sum + Math.min(count, cameCount.get(key) ?? 0), 0)
  return { lost, untrue, matched }
}

const digitsOf = (code: unknown) => String(code).replace('HMS_', '').replace(/[^0-9A-F]/g, '')

/** An alert as the service tells it. */
export interface Told {
  readonly printer: string
  readonly type: string
  readonly payload: { readonly [key: string]: unknown }
}

/** One entry for each error in it. */
export function entriesOf ({ printer, type, payload }: Told): Entry[] {
  if (type === 'hms_error_new') {
    return (payload.errors as { code: string }[]).map(({ code }) => ({ printer, type, detail: digitsOf(code) }))
  }
  return [{ printer, type, detail: type === 'stage_change' ? String(payload.stage_id) : '' }]
}
