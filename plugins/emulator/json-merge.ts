/** A JSON object in wire format. */
export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for lists whose members are identified by `id` (units, trays, extruders, nozzles, air-duct parts). */
const isKeyed = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.length > 0 && value.every(item => isJson(item) && 'id' in item)

const sameId = (a: Json, b: Json): boolean => String(a.id) === String(b.id)

const mergeKeyed = (base: readonly Json[], patch: readonly Json[]): Json[] => {
  const merged = base.map(item => {
    const change = patch.find(other => sameId(item, other))
    return change === undefined ? item : mergeDeep(item, change)
  })
  return [...merged, ...patch.filter(item => !base.some(other => sameId(item, other)))]
}

const mergeValue = (base: unknown, patch: unknown): unknown => {
  if (isJson(base) && isJson(patch)) return mergeDeep(base, patch)
  if (isKeyed(base) && isKeyed(patch)) return mergeKeyed(base, patch)
  return patch
}

/** Objects merge, lists with ids merge member by member, the rest is replaced. Neither argument changes. */
export function mergeDeep (base: Json, patch: Json): Json {
  const merged: Json = { ...base }
  for (const [key, value] of Object.entries(patch)) merged[key] = mergeValue(base[key], value)
  return merged
}

/** Equal by content. Identity is checked first, so shared parts cost nothing. */
export function same (a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]))
  }
  if (!isJson(a) || !isJson(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => key in b && same(a[key], b[key]))
}

/** The members of `next` that differ from `previous`. */
export function changed (previous: Json, next: Json): Json {
  const out: Json = {}
  for (const key in next) if (!same(previous[key], next[key])) out[key] = next[key]
  return out
}

const find = (list: unknown, item: Json): Json | undefined =>
  isKeyed(list) ? list.find(other => sameId(other, item)) : undefined

const pruneValue = (mask: unknown, before: unknown, after: unknown): unknown => {
  if (same(before, after)) return mask
  if (isJson(mask) && isJson(before) && isJson(after)) return prune(mask, before, after)
  if (!isKeyed(mask) || !isKeyed(before) || !isKeyed(after)) return undefined
  return mask.map(item => prune(item, find(before, item) ?? {}, find(after, item) ?? {}))
}

/** Removes from an overlay the values that the machine has changed by itself since. */
export function prune (overlay: Json, before: Json, after: Json): Json {
  const left: Json = {}
  for (const [key, mask] of Object.entries(overlay)) {
    const remaining = key === 'id' ? mask : pruneValue(mask, before[key], after[key])
    if (remaining !== undefined) left[key] = remaining
  }
  return left
}
