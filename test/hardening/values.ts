/** What of JSON Schema the API description and the tools use. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** Numbers that look random and are the same every time. */
export interface Dice {
  /** From 0 up to 1. */
  next (): number
  below (n: number): number
  oneOf<T> (list: readonly T[]): T
}

export function createDice (seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { next, below, oneOf: list => list[below(list.length)] as (typeof list)[number] }
}

function nested (depth: number): unknown {
  let value: unknown = 1
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { a: value }
  return value
}

const TEXTS = [
  '', ' ', '0', '-1', '1.5', '1e9', '0x10', 'NaN', 'true', 'null', 'abc', 'ä€😀', '../../etc/passwd', '/../x', 'C:\\x',
  'a\u0000b', 'a\r\nb: c', '%', '%00', '%%%s%d%n', '{{7*7}}', "' or 1=1 --", '<script>alert(1)</script>', '$(id)', '__proto__',
  'constructor', 'toString', '\uD800', '/cache/a.3mf', 'a'.repeat(300), 'b'.repeat(5_000), '1'.repeat(40), 'G28\nM104 S300'
] as const

const ODD: readonly unknown[] = [
  ...TEXTS, null, true, false, 0, -0, 1, -1, 1.5, 255, 256, 65_536, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, -1e308, 5e-324,
  [], {}, [[]], [null], ['a', 'b'], [1, 2, 3], { a: 1 }, { __proto__x: 1 }, { toString: 1 }, { length: -1 }, nested(50)
]

export const odd = (dice: Dice): unknown => dice.oneOf(ODD)

function number ({ type, minimum = -10, maximum = 300 }: Schema, dice: Dice): number {
  const value = minimum + dice.next() * (maximum - minimum)
  return type === 'integer' ? Math.round(value) : Math.round(value * 100) / 100
}

const PLAIN = ['PLA', 'a', 'X', 'left', '/cache/benchy.3mf', 'benchy.3mf', '#00AE42', 'GFA00', '0', 'note', 'info'] as const

/** A value that the schema allows; what it means is left to chance. */
export function fitting (schema: Schema, dice: Dice): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return dice.oneOf(schema.enum)
  const choice = schema.anyOf ?? schema.oneOf
  if (choice !== undefined) return fitting(dice.oneOf(choice), dice)
  switch (schema.type) {
    case 'integer':
    case 'number': return number(schema, dice)
    case 'boolean': return dice.next() < 0.5
    case 'array': return Array.from({ length: dice.below(4) }, () => fitting(schema.items ?? {}, dice))
    case 'object': return object(schema, dice)
    case 'string': return String(dice.oneOf(dice.next() < 0.6 ? PLAIN : TEXTS)).slice(0, schema.maxLength)
    default: return odd(dice)
  }
}

function object ({ properties = {}, required = [] }: Schema, dice: Dice): Record<string, unknown> {
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || dice.next() < 0.6)
  return Object.fromEntries(chosen.map(([name, schema]) => [name, fitting(schema, dice)]))
}

/** Arguments that fit, and more often such that do not: one wrong, one missing, one too many, all wrong. */
export function args (schema: Schema, dice: Dice): Record<string, unknown> {
  const good = object(schema, dice)
  const names = Object.keys(schema.properties ?? {})
  const kind = dice.next()
  if (kind < 0.5 || names.length === 0) return good
  const name = dice.oneOf(names)
  if (kind < 0.8) return { ...good, [name]: odd(dice) }
  if (kind < 0.87) return Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
  if (kind < 0.94) return Object.fromEntries(names.map(key => [key, odd(dice)]))
  return { ...good, [String(dice.oneOf(TEXTS))]: odd(dice) }
}
