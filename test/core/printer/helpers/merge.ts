import { mergeReport as mergeInto, type WarnFn } from '../../../../core/printer/report/report.js'
import type { Raw } from '../../../../core/printer/state/raw.js'

/** Merges into a copy. The tree is the base itself when nothing changed. */
export function mergeReport (base: Raw, patch: Raw, warn?: WarnFn): { tree: Raw, changed: string[] } {
  const tree = { ...base }
  const changes = new Map<string, unknown>()
  mergeInto(tree, patch, changes, warn)
  return { tree: changes.size === 0 ? base : tree, changed: [...changes.keys()] }
}

/** Fields of which the second tree holds another value, with their value in the first. */
export const changesBetween = (before: Raw, now: Raw): Map<string, unknown> =>
  new Map(Object.keys(now).filter(key => now[key] !== before[key]).map(key => [key, before[key]]))
