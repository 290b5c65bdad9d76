import type { SessionContext } from './context.js'
import type { Section } from './section.js'

/** A set of sections, one bit each. */
export type Mask = number

interface FieldMask { whole: Mask, readonly members: [member: string, mask: Mask][] }

/** Changed top-level fields of the report, with their previous values. */
export type Changes = ReadonlyMap<string, unknown>

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined

/** Finds the sections that depend on changed data, at a cost that depends on the changes alone. */
export function createInvalidationIndex (sections: readonly Section<unknown>[]) {
  const byField = new Map<string, FieldMask>()
  const sectionsByKey = new Map<keyof SessionContext, Mask>()
  const ageing = sections.flatMap(({ aged }, at) => aged ? [{ aged, mask: 1 << at }] : [])
  sections.forEach(({ fields, context = [] }, at) => {
    for (const path of fields) noteField(path, 1 << at)
    for (const key of context) sectionsByKey.set(key, (sectionsByKey.get(key) ?? 0) | 1 << at)
  })
  const contextKeys = [...sectionsByKey]

  function noteField (path: string, mask: Mask): void {
    const [field = '', member] = path.split('.')
    const entry = byField.get(field) ?? { whole: 0, members: [] }
    byField.set(field, entry)
    if (member === undefined) entry.whole |= mask
    else entry.members.push([member, mask])
  }

  function byReport (raw: Readonly<Record<string, unknown>>, changes: Changes): Mask {
    let dirty = 0
    for (const [field, before] of changes) {
      const entry = byField.get(field)
      if (entry === undefined) continue
      dirty |= entry.whole
      const now = raw[field]
      for (const [member, mask] of entry.members) {
        if (memberOf(before, member) !== memberOf(now, member)) dirty |= mask
      }
    }
    return dirty
  }

  function byContext (before: SessionContext, now: SessionContext): Mask {
    if (before === now) return 0
    let dirty = 0
    for (const [key, mask] of contextKeys) {
      if (before[key] !== now[key]) dirty |= mask
    }
    return dirty
  }

  function byAge (before: SessionContext, beforeAt: number, now: SessionContext, at: number): Mask {
    let dirty = 0
    for (const { aged, mask } of ageing) {
      if (aged(before, beforeAt) !== aged(now, at)) dirty |= mask
    }
    return dirty
  }

  return { byReport, byContext, byAge }
}
