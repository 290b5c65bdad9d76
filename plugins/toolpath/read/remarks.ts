import { FEATURE_NAMES, FEATURES } from './features.data.js'

/** What a slicer says in comments between moves. Members are absent when the comment says something else. */
export interface Remark {
  /** A layer begins. */
  readonly layer?: true
  /** mm, of the layer that begins. */
  readonly z?: number
  /** mm. */
  readonly height?: number
  /** Place in `FEATURES`. */
  readonly feature?: number
  /** mm. */
  readonly width?: number
  /** The object that moves belong to from here; 0 ends it. */
  readonly object?: number
  readonly wipe?: boolean
  /** The printer may skip what follows. */
  readonly skippable?: boolean
  /** mm of filament that the printer flushes by itself, which the slicer only counts. */
  readonly flush?: number
}

const NOTHING: Remark = {}
const SPACE = 32
/** Longer comments are settings, which are read elsewhere. */
const MAX_BYTES = 96

/** Beginnings of the comments that say something, as they stand after the semicolon and spaces. */
const BEGINNINGS: readonly (readonly [start: string, read: (value: string) => Remark])[] = [
  ['FEATURE:', value => featureOf(value)],
  ['TYPE:', value => featureOf(value)],
  ['CHANGE_LAYER', () => ({ layer: true })],
  ['LAYER_CHANGE', () => ({ layer: true })],
  ['LAYER:', value => Number(value) >= 0 ? { layer: true } : NOTHING],
  ['Z_HEIGHT:', value => numberOf('z', value)],
  ['Z:', value => numberOf('z', value)],
  ['LAYER_HEIGHT:', value => numberOf('height', value)],
  ['HEIGHT:', value => numberOf('height', value)],
  ['LINE_WIDTH:', value => numberOf('width', value)],
  ['WIDTH:', value => numberOf('width', value)],
  ['OBJECT_ID:', value => numberOf('object', value)],
  ['start printing object, unique label id:', value => numberOf('object', value)],
  ['stop printing object', () => ({ object: 0 })],
  ['WIPE_START', () => ({ wipe: true })],
  ['WIPE_END', () => ({ wipe: false })],
  ['VG1 E', value => numberOf('flush', value)],
  ['SKIPPABLE_START', () => ({ skippable: true })],
  ['SKIPPABLE_END', () => ({ skippable: false })]
]
/** By first character, so that most comments are passed over at once. */
const BY_FIRST = new Map<number, (typeof BEGINNINGS)[number][]>()
for (const entry of BEGINNINGS) {
  const first = entry[0].charCodeAt(0)
  BY_FIRST.set(first, [...BY_FIRST.get(first) ?? [], entry])
}

function numberOf (member: 'z' | 'height' | 'width' | 'object' | 'flush', text: string): Remark {
  const value = Number.parseFloat(text)
  return Number.isFinite(value) ? { [member]: value } : NOTHING
}

const featureOf = (text: string): Remark =>
  ({ feature: FEATURES.indexOf(FEATURE_NAMES[text.trim().toLowerCase()] ?? 'custom') })

/** Reads the comment of a line of its own. */
export function readRemark (bytes: Uint8Array, start: number, end: number): Remark {
  let at = start
  while (at < end && bytes[at] === SPACE) at++
  const candidates = at < end && end - at <= MAX_BYTES ? BY_FIRST.get(bytes[at]!) : undefined
  if (candidates === undefined) return NOTHING
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1')
  const found = candidates.find(([beginning]) => text.startsWith(beginning))
  return found === undefined ? NOTHING : found[1](text.slice(found[0].length))
}
