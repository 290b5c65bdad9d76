import { REPORT, type Kind, type ListShape, type ObjectShape, type Shape } from './report-shape.data.js'

/** The merged `print` report as the printer sent it. */
export type Raw = Readonly<Record<string, unknown>>

/** Told of what was left out because it cannot be what it claims to be: why, and in which top-level field. */
export type Complain = (kind: 'type' | 'depth' | 'size' | 'fields' | 'list', field: string) => void

export interface Merged {
  /** The same object as the base when nothing changed; unchanged branches keep their identity. */
  readonly tree: Raw
  /** Top-level fields whose value changed. */
  readonly changed: readonly string[]
}

// Bounds on what one printer may make us keep. A real report has about 150 fields and 14 levels at most.
const MAX_DEPTH = 16
const MAX_UNKNOWN_FIELDS = 160
const MAX_UNKNOWN_CHARS = 8_192
const MAX_LIST = 512

/**
 * Merges a status report into what is known, by the rules of the wire: absent means unchanged, objects merge,
 * lists are replaced except those with a key, and nothing of the wrong type gets in.
 */
export function mergeReport (base: Raw, patch: Raw, complain: Complain = () => {}): Merged {
  const changed: string[] = []
  const tree = mergeFields(base, withoutShutdownBits(patch), REPORT, '', 0, complain, changed)
  return { tree: tree as Raw, changed }
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mergeFields (base: Fields, patch: Fields, shape: ObjectShape | undefined, path: string,
  depth: number, complain: Complain, changed?: string[]): Fields {
  let out: Record<string, unknown> | undefined
  for (const key in patch) {
    if (key === '__proto__') continue
    const before = base[key]
    const after = mergeValue(before, patch[key], fieldShape(shape, key), path || key, depth + 1, complain)
    if (after === before || after === undefined) continue
    if (before === undefined && fieldShape(shape, key) === undefined &&
      Object.keys(out ?? base).length >= MAX_UNKNOWN_FIELDS) { complain('fields', path); continue }
    out ??= { ...base }
    out[key] = after
    changed?.push(key)
  }
  return out ?? base
}

const fieldShape = (shape: ObjectShape | undefined, key: string): Shape | undefined =>
  shape !== undefined && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined

/** @returns the value to keep: `before` itself when equal or when `patch` must be ignored */
function mergeValue (before: unknown, patch: unknown, shape: Shape | undefined, path: string, depth: number,
  complain: Complain): unknown {
  if (patch === before || patch === undefined) return before
  if (depth > MAX_DEPTH) { complain('depth', path); return before }
  if (shape === undefined) return mergeUnknown(before, patch, path, depth, complain)
  if (patch === null) return before // "nothing to say", seen for idle parts
  if (typeof shape === 'string') return fits(shape, patch) ? settle(before, patch) : wrong(before, path, complain)
  if ('fields' in shape) {
    return isFields(patch)
      ? mergeFields(isFields(before) ? before : {}, patch, shape, path, depth, complain)
      : wrong(before, path, complain)
  }
  if (!Array.isArray(patch)) return wrong(before, path, complain)
  const known = Array.isArray(before) ? before as readonly unknown[] : undefined
  return shape.key === undefined
    ? mergeWholeList(known, patch, shape, path, depth, complain)
    : mergeKeyedList(known ?? [], patch, shape, shape.key, path, depth, complain)
}

function wrong (before: unknown, path: string, complain: Complain): unknown {
  complain('type', path)
  return before
}

function mergeUnknown (before: unknown, patch: unknown, path: string, depth: number, complain: Complain): unknown {
  if (isFields(before) && isFields(patch)) return mergeFields(before, patch, undefined, path, depth, complain)
  if (isEqual(before, patch, MAX_DEPTH)) return before
  if (sizeWithin(patch, MAX_UNKNOWN_CHARS, MAX_DEPTH) < 0) { complain('size', path); return before }
  return isFields(patch) ? mergeFields({}, patch, undefined, path, depth, complain) : patch
}

const LONGEST_TEXT = 4_096

function fits (kind: Kind, value: unknown): boolean {
  switch (typeof value) {
    case 'number': return Number.isFinite(value)
    case 'string': return value.length <= LONGEST_TEXT && (kind !== 'n' || isNumeric(value))
    case 'boolean': return kind === 'b' || kind === 'a'
    default: return false
  }
}

/** Empty text stands for "no value" on some models, so it passes. */
const isNumeric = (text: string) => text.trim() === '' || Number.isFinite(Number(text))

const settle = (before: unknown, patch: unknown) => isEqual(before, patch, 1) ? before : patch

function mergeWholeList (before: readonly unknown[] | undefined, patch: readonly unknown[], shape: ListShape,
  path: string, depth: number, complain: Complain): readonly unknown[] {
  const list = patch.slice(0, MAX_LIST)
    .map(item => mergeValue(undefined, item, shape.list, path, depth + 1, complain))
    .filter(item => item !== undefined)
  return before !== undefined && isEqual(before, list, MAX_DEPTH) ? before : list
}

function mergeKeyedList (before: readonly unknown[], patch: readonly unknown[], shape: ListShape, key: string,
  path: string, depth: number, complain: Complain): readonly unknown[] {
  let out: unknown[] | undefined
  for (const item of patch) {
    if (!isFields(item) || (typeof item[key] !== 'string' && typeof item[key] !== 'number')) {
      complain('type', path)
      continue
    }
    const id = String(item[key])
    const list = out ?? before
    const at = list.findIndex(known => String((known as Fields)[key]) === id)
    if (at < 0 && list.length >= MAX_LIST) { complain('list', path); continue }
    const known = at < 0 ? undefined : list[at]
    const merged = shape.tray
      ? mergeTray(known as Fields | undefined, item, shape.list as ObjectShape, path, depth, complain)
      : mergeValue(known, item, shape.list, path, depth + 1, complain)
    if (merged === known) continue
    out ??= [...before]
    out[at < 0 ? out.length : at] = merged
  }
  return out ?? before
}

/** Tray states that say "nothing known here" when they come without any other field. */
const BLANK_STATES = new Set(['0', '8', '9', '10'])

function mergeTray (before: Fields | undefined, patch: Fields, shape: ObjectShape, path: string, depth: number,
  complain: Complain): Fields {
  if (isBlankTray(patch)) {
    const blank = mergeFields({}, patch, shape, path, depth, complain)
    return before !== undefined && isEqual(before, blank, 2) ? before : blank
  }
  const known = before ?? {}
  return mergeFields(known, withoutLostTags(known, patch), shape, path, depth, complain)
}

/** A tray of only an id, or an id and one of the blank states, has lost its spool. */
const isBlankTray = (patch: Fields) => Object.keys(patch).every(key => key === 'id' || key === 'state') &&
  (patch.state === undefined || BLANK_STATES.has(String(patch.state)))

const isZeros = (value: unknown) => typeof value === 'string' && /^0+$/.test(value)

/** Periodic tray updates repeat tags as zeros although the full report had them: the known tag stays. */
function withoutLostTags (before: Fields, patch: Fields): Fields {
  const lost = ['tag_uid', 'tray_uuid'].filter(key =>
    isZeros(patch[key]) && typeof before[key] === 'string' && !isZeros(before[key]))
  if (lost.length === 0) return patch
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !lost.includes(key)))
}

const isNoBits = (value: unknown) => /^0*$/.test(String(value))

/**
 * A printer that is being switched off clears every AMS bit in the same frame that says so. The spools are
 * still there, so the bits of that frame are not taken over.
 */
function withoutShutdownBits (patch: Raw): Raw {
  const ams = patch.ams
  if (!isFields(ams) || ams.power_on_flag !== false || ams.tray_exist_bits === undefined) return patch
  if (!isNoBits(ams.tray_exist_bits)) return patch
  if (ams.ams_exist_bits !== undefined && !isNoBits(ams.ams_exist_bits)) return patch
  const { tray_exist_bits: _trays, ams_exist_bits: _units, ...rest } = ams
  return { ...patch, ams: rest }
}

/** Deep equality to a bounded depth; deeper values count as different. */
function isEqual (a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true
  if (depth === 0 || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!isEqual((a as Fields)[key], (b as Fields)[key], depth - 1)) return false
  }
  return true
}

/** What is left of a budget of characters after keeping a value; negative when it does not fit. */
function sizeWithin (value: unknown, budget: number, depth: number): number {
  if (budget < 0 || depth < 0) return -1
  if (typeof value === 'string') return budget - value.length - 2
  if (typeof value !== 'object' || value === null) return budget - 8
  let left = budget - 2
  for (const key in value) {
    left = sizeWithin((value as Fields)[key], left - key.length, depth - 1)
    if (left < 0) return -1
  }
  return left
}
