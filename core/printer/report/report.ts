import { REPORT, type Kind, type ListShape, type ObjectShape, type Shape } from './report-schema.data.js'
import { normalizeAmsPatch, isBlankTray, dropRemovedSpools, withoutLostTags } from './ams-merge.js'
import { boundedEqual, sizeWithin } from './bounded-equal.js'
import type { Raw } from '../state/raw.js'

/** Called when part of a report is ignored as invalid: why, and in which top-level field. */
export type WarnFn = (kind: 'type' | 'depth' | 'size' | 'fields' | 'list', field: string) => void

/** The merged report of one printer. Only its top level is mutable; values below are replaced. */
export type ReportTree = Record<string, unknown>

// Limits of one printer's stored report. Real ones have about 150 fields and at most 14 levels.
const MAX_DEPTH = 16
const MAX_UNKNOWN_FIELDS = 160
const MAX_UNKNOWN_CHARS = 8_192
const MAX_LIST = 512
const MAX_KEYED = 64

/**
 * Merges a status report into the tree, by the rules of the protocol: absent means unchanged, objects are merged, lists
 * are replaced except those with a key, and values of the wrong type are ignored. The tree is changed in place, so that
 * the cost depends on the report alone; equal values keep their identity.
 * @param changes receives the changed fields, with the value before the first change
 */
export function mergeReport (tree: ReportTree, patch: Raw, changes: Map<string, unknown>,
  warn: WarnFn = () => {}): void {
  for (const key in patch) {
    if (key === '__proto__') continue
    const before = Object.hasOwn(tree, key) ? tree[key] : undefined
    const shape = REPORT.fields[key]
    const after = key === 'ams'
      ? mergeAms(before, patch.ams, warn)
      : mergeValue(before, patch[key], shape, key, 1, warn)
    if (after === before || after === undefined) continue
    if (before === undefined && shape === undefined && Object.keys(tree).length >= MAX_UNKNOWN_FIELDS) {
      warn('fields', 'report')
      continue
    }
    tree[key] = after
    if (!changes.has(key)) changes.set(key, before)
  }
}

function mergeAms (before: unknown, patch: unknown, warn: WarnFn): unknown {
  const merged = mergeValue(before, normalizeAmsPatch(before, patch), REPORT.fields.ams, 'ams', 1, warn)
  return merged === before || !isFields(merged) ? merged : dropRemovedSpools(merged)
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mergeFields (base: Fields, patch: Fields, shape: ObjectShape | undefined, path: string,
  depth: number, warn: WarnFn): Fields {
  let out: Record<string, unknown> | undefined
  for (const key in patch) {
    if (key === '__proto__') continue
    const before = base[key]
    const fieldShape = shape?.fields[key]
    const after = mergeValue(before, patch[key], fieldShape, path, depth + 1, warn)
    if (after === before || after === undefined) continue
    if (before === undefined && fieldShape === undefined &&
      Object.keys(out ?? base).length >= MAX_UNKNOWN_FIELDS) { warn('fields', path); continue }
    out ??= { ...base }
    out[key] = after
  }
  return out ?? base
}

/** @returns the merged value: `before` itself if equal or if `patch` must be ignored */
function mergeValue (before: unknown, patch: unknown, shape: Shape | undefined, path: string, depth: number,
  warn: WarnFn): unknown {
  if (patch === before || patch === undefined) return before
  if (depth > MAX_DEPTH) { warn('depth', path); return before }
  if (shape === undefined) return mergeUnknown(before, patch, path, depth, warn)
  if (patch === null) return before // sent for idle parts: unchanged
  if (shape === 'a') return mergeUnknown(before, patch, path, depth, warn)
  if (shape === 'x' && patch === '') return before
  if (typeof shape === 'string') return fits(shape, patch) ? settle(before, patch) : wrong(before, path, warn)
  if ('fields' in shape) {
    return isFields(patch)
      ? mergeFields(isFields(before) ? before : {}, patch, shape, path, depth, warn)
      : wrong(before, path, warn)
  }
  if (!Array.isArray(patch)) return wrong(before, path, warn)
  const known = Array.isArray(before) ? before as readonly unknown[] : undefined
  return shape.key === undefined
    ? mergeWholeList(known, patch, shape, path, depth, warn)
    : mergeKeyedList(known ?? [], patch, shape, shape.key, path, depth, warn)
}

function wrong (before: unknown, path: string, warn: WarnFn): unknown {
  warn('type', path)
  return before
}

function mergeUnknown (before: unknown, patch: unknown, path: string, depth: number, warn: WarnFn): unknown {
  if (boundedEqual(before, patch, MAX_DEPTH)) return before
  const fits = (value: unknown) => sizeWithin(value, MAX_UNKNOWN_CHARS, MAX_DEPTH) >= 0
  if (!fits(patch)) { warn('size', path); return before }
  if (!isFields(patch)) return patch
  if (!isFields(before)) return mergeFields({}, patch, undefined, path, depth, warn)
  const merged = mergeFields(before, patch, undefined, path, depth, warn)
  if (merged === before || fits(merged)) return merged
  warn('size', path)
  return before
}

const LONGEST_TEXT = 4_096

function fits (kind: Kind, value: unknown): boolean {
  switch (typeof value) {
    case 'number': return kind !== 'w' && Number.isFinite(value)
    case 'string': return value.length <= LONGEST_TEXT && reads(kind, value)
    case 'boolean': return kind === 'b'
    default: return false
  }
}

/** Some models send empty text for "no value", which is valid. */
function reads (kind: Kind, text: string): boolean {
  if (kind === 'n') return text.trim() === '' || Number.isFinite(Number(text))
  if (kind === 'x') return /^[0-9a-f]{1,32}$/i.test(text)
  return kind !== 'b' || /^(true|false|0|1|enable|disable|on|off|)$/i.test(text)
}

const settle = (before: unknown, patch: unknown) => boundedEqual(before, patch, 1) ? before : patch

function mergeWholeList (before: readonly unknown[] | undefined, patch: readonly unknown[], shape: ListShape,
  path: string, depth: number, warn: WarnFn): readonly unknown[] | undefined {
  if (before !== undefined && boundedEqual(before, patch, MAX_DEPTH)) return before
  const { list: item } = shape
  // In a list of plain values the index matters: omitting one would shift the others.
  if (typeof item === 'string' && item !== 'a' && !patch.every(value => fits(item, value))) {
    return wrong(before, path, warn) as typeof before
  }
  if (patch.length > MAX_LIST) warn('list', path)
  const list = patch.slice(0, MAX_LIST)
    .map(value => mergeValue(undefined, value, item, path, depth + 1, warn))
    .filter(value => value !== undefined)
  return before !== undefined && boundedEqual(before, list, MAX_DEPTH) ? before : list
}

function mergeKeyedList (before: readonly unknown[], patch: readonly unknown[], shape: ListShape, key: string,
  path: string, depth: number, warn: WarnFn): readonly unknown[] {
  const listed = shape.whole ? withoutUnlisted(before, patch, key, shape.whole) : before
  let out: unknown[] | undefined
  for (let place = 0; place < patch.length; place++) {
    const item: unknown = patch[place]
    if (!isFields(item) || (typeof item[key] !== 'string' && typeof item[key] !== 'number')) {
      warn('type', path)
      continue
    }
    const list = out ?? listed
    const at = placeOf(list, key, item[key], place)
    if (at < 0 && list.length >= MAX_KEYED) { warn('list', path); continue }
    const known = at < 0 ? undefined : list[at]
    const merged = shape.tray
      ? mergeTray(known as Fields | undefined, item, shape.list as ObjectShape, path, depth, warn)
      : mergeValue(known, item, shape.list, path, depth + 1, warn)
    if (merged === known) continue
    out ??= [...listed]
    out[at < 0 ? out.length : at] = merged
  }
  return out ?? listed
}

/** Removes entries that a complete list no longer contains. @returns `before` if there are none */
function withoutUnlisted (before: readonly unknown[], patch: readonly unknown[], key: string,
  whole: readonly string[]): readonly unknown[] {
  const ids = new Set(patch.map(item => isFields(item) ? String(item[key]) : ''))
  if (!whole.every(id => ids.has(id))) return before
  const listed = before.filter(item => ids.has(String((item as Fields)[key])))
  return listed.length === before.length ? before : listed
}

/** @param likely its index if the order has not changed */
function placeOf (list: readonly unknown[], key: string, id: string | number, likely: number): number {
  if ((list[likely] as Fields | undefined)?.[key] === id) return likely
  const wanted = String(id)
  return list.findIndex(known => String((known as Fields)[key]) === wanted)
}

function mergeTray (before: Fields | undefined, patch: Fields, shape: ObjectShape, path: string, depth: number,
  warn: WarnFn): Fields {
  if (isBlankTray(patch)) {
    const blank = mergeFields({}, patch, shape, path, depth, warn)
    return before !== undefined && boundedEqual(before, blank, 2) ? before : blank
  }
  const known = before ?? {}
  return mergeFields(known, withoutLostTags(known, patch), shape, path, depth, warn)
}
