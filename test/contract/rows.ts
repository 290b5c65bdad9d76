/** The parts of the product, in the order in which they arrive. */
export const PARTS = ['first-light', 'machine', 'printers', 'control', 'files', 'camera', 'health'] as const
export type Part = (typeof PARTS)[number]

/** The parts that exist. A later part adds its name here, and the tables are walked that much further. */
export const EXISTING: readonly Part[] = ['first-light', 'machine', 'printers', 'control', 'files', 'camera', 'health']
export const exists = ({ since }: { readonly since: Part }): boolean => EXISTING.includes(since)
/** Those of them that need neither a card nor a camera. */
export const CONTROL: readonly Part[] = ['first-light', 'machine', 'printers', 'control']
export const isOf = (...parts: readonly Part[]) => ({ since }: { readonly since: Part }): boolean =>
  EXISTING.includes(since) && parts.includes(since)

export type ParamType = 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'file' | 'integers' | 'strings'
export interface Param {
  readonly name: string
  readonly type: ParamType
  readonly required: boolean
  readonly default?: unknown
  readonly oneOf?: readonly (string | number)[]
  readonly min?: number
  readonly max?: number
  /** What is not in the list counts as the default. @default false */
  readonly lenient?: boolean
}
type Limits = Omit<Param, 'name' | 'type' | 'required'>

const kinds = (required: boolean) => {
  const of = (type: ParamType) => (name: string, limits: Limits = {}): Param =>
    ({ name, type, required, ...limits })
  return {
    text: of('string'),
    int: of('integer'),
    num: of('number'),
    bool: of('boolean'),
    any: of('any'),
    file: of('file'),
    ints: of('integers'),
    texts: of('strings')
  }
}
/** A parameter that a call must carry. */
export const need = kinds(true)
/** One that it may leave out. */
export const may = kinds(false)

/** JSON types of an object's members, alternatives divided by a bar. */
export type Shape = Readonly<Record<string, string>>

/** Reads `id: string, size: integer|null`. */
export const shape = (text: string): Shape =>
  Object.fromEntries(text.split(',').map(member => member.split(':').map(part => part.trim())))

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const fits = (value: unknown, wanted: string): boolean => wanted.split('|').some(type =>
  type === 'any' || type === typeOf(value) || (type === 'number' && typeof value === 'number'))

/** What is wrong with an object: members it lacks or that have another type; with `exact` others besides. */
export function flaws (value: unknown, shape: Shape, exact = false): string[] {
  if (typeOf(value) !== 'object') return [`${typeOf(value)} instead of an object`]
  const fields = value as Readonly<Record<string, unknown>>
  return [
    ...Object.entries(shape).flatMap(([key, type]) => {
      if (!Object.hasOwn(fields, key)) return [`${key} is missing`]
      return fits(fields[key], type) ? [] : [`${key} is ${typeOf(fields[key])}, not ${type}`]
    }),
    ...Object.keys(fields).filter(key => exact && !Object.hasOwn(shape, key)).map(key => `${key} is too much`)
  ]
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * A text with blanks such as `<reason>` as an expression that a text must match as a whole.
 * @param known what some blanks stand for
 */
export function matching (template: string, known: Readonly<Record<string, unknown>> = {}): RegExp {
  const parts = template.split(/<([^<>]+)>/)
  const pattern = parts.map((part, at) => at % 2 === 0
    ? escape(part)
    : Object.hasOwn(known, part) ? escape(String(known[part])) : '[^]+')
  return new RegExp(`^${pattern.join('')}$`)
}
