import type { Random } from './random.js'

/** Values that are wrong nearly everywhere, and some that are only odd. */
const ODD: readonly unknown[] = [
  null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31), 2 ** 32, '', ' ', 'x', '0', '-1', '1e9', 'NaN', 'Infinity',
  '0x10', '9'.repeat(40), 'f'.repeat(40), '\u0000', '\uD800', '💥', '__proto__', 'constructor', [], {}, [[]], [null], [{}],
  { id: '0' }, [{ id: null }], [{ id: {} }], { id: '__proto__' }, [{ id: 'constructor', tray: {} }], '<script>', '\n'.repeat(20)
]

const huge = (random: Random): unknown => random.pick([
  () => 'x'.repeat(20_000),
  () => Array.from({ length: 3_000 }, (_, at) => at),
  () => Array.from({ length: 1_000 }, (_, at) => ({ id: String(at), tray: [{ id: String(at) }] })),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key${at}`, at]))
])()

const nested = (random: Random): string => {
  const levels = random.pick([20, 200, 3_000])
  return random.chance(0.5)
    ? '['.repeat(levels) + ']'.repeat(levels)
    : '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
}

type Holder = Record<string, unknown> | unknown[]
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Some place in a document, as an object or list and a key of it; the deeper the rarer. */
function somewhere (document: Holder, random: Random): [Holder, string] | undefined {
  const keys = Object.keys(document)
  if (keys.length === 0) return undefined
  const key = random.pick(keys)
  const value = get(document, key)
  const deeper = isHolder(value) && random.chance(0.8) ? somewhere(value, random) : undefined
  return deeper ?? [document, key]
}

/** A value of its own each time: it may be changed afterwards. */
const odd = (random: Random): unknown => structuredClone(random.pick(ODD))

const put = (holder: Holder, key: string, value: unknown) => { (holder as Record<string, unknown>)[key] = value }
const get = (holder: Holder, key: string): unknown => (holder as Record<string, unknown>)[key]

/** Changes a few places of a document: odd values, values of other places, missing and further keys. */
function distort (document: Holder, random: Random): void {
  for (let count = 1 + random.int(6); count > 0; count--) {
    const [holder, key] = somewhere(document, random) ?? [document, 'print']
    const how = random.int(6)
    if (how === 0) put(holder, key, random.chance(0.15) ? huge(random) : odd(random))
    else if (how === 1) put(holder, key, structuredClone(get(...somewhere(document, random) ?? [document, key])))
    else if (how === 2 && !Array.isArray(holder)) delete holder[key]
    else if (how === 3 && !Array.isArray(holder)) put(holder, String(random.pick(ODD)), get(holder, key))
    else if (how === 4) put(holder, key, JSON.stringify(get(holder, key)) ?? '')
    else put(holder, key, odd(random))
  }
}

const ONE_QUOTED = /"[a-z_]+":/
const QUOTED = /"[a-z_]+":/g

/** Text that was JSON: cut, with keys twice, with characters changed, or with something deep put into it. */
function spoil (text: string, random: Random): string | Uint8Array {
  const at = random.int(text.length)
  switch (random.int(5)) {
    case 0: return text.slice(0, at)
    case 1: return text.replace(QUOTED, key => random.chance(0.1) ? `${key}${JSON.stringify(random.pick(ODD))},${key}` : key)
    case 2: return text.slice(0, at) + String.fromCharCode(random.int(256)) + text.slice(at + 1 + random.int(3))
    case 3: return text.slice(0, at) + text.slice(at).replace(ONE_QUOTED, key => `${key}${nested(random)},${key}`)
    default: return Buffer.from(text).map(byte => random.chance(0.002) ? random.int(256) : byte)
  }
}

/** One payload made of a good document in JSON, at times of noise alone. */
export function mutate (document: string, random: Random): string | Uint8Array {
  if (random.chance(0.02)) return Uint8Array.from({ length: random.int(300) }, () => random.int(256))
  const copy = JSON.parse(document) as Holder
  if (random.chance(0.8)) distort(copy, random)
  const text = JSON.stringify(copy, null, random.pick([0, 0, 4]))
  return random.chance(0.3) ? spoil(text, random) : text
}
