import { BadInput, validationError, unknownName } from '../../core/index.js'
import type { TObject } from 'typebox'

/** Where the parameters of a request may stand. A JSON body wins over a form, a form over the query. */
export interface Sources {
  /** Named in the route's path, such as `/history/:id`. They win over everything else. */
  readonly path?: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Readonly<Record<string, unknown>>
  readonly json: Readonly<Record<string, unknown>>
}

interface Given { readonly value: unknown }

/** A JSON null says "not given", unless the parameter takes any value. */
function find ({ path, query, form, json }: Sources, name: string, takesNull = false): Given | undefined {
  if (path && Object.hasOwn(path, name)) return { value: path[name] }
  if (Object.hasOwn(json, name) && (takesNull || json[name] !== null)) return { value: json[name] }
  const text = Object.hasOwn(form, name) ? form[name] : Object.hasOwn(query, name) ? query[name] : undefined
  // A parameter that was repeated arrives as a list: the last one counts.
  return text === undefined ? undefined : { value: Array.isArray(text) ? text.at(-1) : text }
}

/**
 * One text parameter, for what a surface itself needs; an empty one counts as not given.
 * @throws PRN_ERR_BAD_INPUT for anything but text: who names a printer wrongly does not mean the default one
 */
export function textParam (sources: Sources, name: string): string | undefined {
  const value = find(sources, name)?.value
  if (value === undefined || value === '') return undefined
  return readText(name, {}, value)
}

/** Added by programs to get past caches; it means nothing. */
const CACHE_BUSTER = '_'

/**
 * Refuses what a write must not pass over in silence: a parameter that does not exist, wherever it stands. A
 * misspelt one would otherwise do something else than was asked.
 * @param known names of the parameters the route takes
 * @throws PRN_ERR_BAD_INPUT with the name that was probably meant
 */
export function refuseUnknown (known: readonly string[], { query, form, json }: Sources): void {
  const given = [query, form, json].flatMap(source => Object.keys(source)).filter(name => name !== CACHE_BUSTER)
  const problem = unknownName('parameter', given, known)
  if (problem !== undefined) throw new BadInput(problem)
}

/**
 * Refuses a printer that is given without a name: a write must not fall to the default printer because a variable
 * of its caller was empty.
 * @throws PRN_ERR_BAD_INPUT
 */
export function refuseNameless (sources: Sources): void {
  const given = find(sources, 'printer')
  if (given === undefined || (typeof given.value === 'string' && given.value.trim() !== '')) return
  throw new BadInput('printer must name a printer; leave it out for the default printer')
}

/**
 * Reads a route's parameters. Texts are turned into the type the schema wants, also the digits of a number in a
 * JSON body.
 * @throws PRN_ERR_BAD_INPUT naming the parameter
 */
export function readParams (schema: TObject, sources: Sources): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const { name, property, takesNull, required } of partsOf(schema)) {
    const given = find(sources, name, takesNull)
    if (given !== undefined) params[name] = readValue(name, property, given, required)
  }
  const problem = validationError(schema, params)
  if (problem !== undefined) throw new BadInput(problem)
  return params
}

interface Property { readonly type?: string, readonly enum?: readonly unknown[], readonly default?: unknown }

interface Part {
  readonly name: string
  readonly property: Property
  readonly takesNull: boolean
  /** It must be there: nothing takes its place. */
  readonly required: boolean
}

const taken = new WeakMap<TObject, readonly Part[]>()

/** A schema taken apart, once. */
function partsOf (schema: TObject): readonly Part[] {
  const known = taken.get(schema)
  if (known) return known
  const required = schema.required as readonly string[] | undefined ?? []
  const parts = Object.entries((schema.properties ?? {}) as Record<string, Property>).map(([name, property]) => ({
    name,
    property,
    takesNull: typeOf(property) === undefined,
    required: required.includes(name) && property.default === undefined
  }))
  taken.set(schema, parts)
  return parts
}

/** A list of values has the type of its values. */
const typeOf = ({ type, enum: values }: Property): string | undefined => type ?? (values && typeof values[0])

function readValue (name: string, property: Property, given: Given, required: boolean): unknown {
  switch (typeOf(property)) {
    case 'integer': return readNumber(name, 'integer', given)
    case 'number': return readNumber(name, 'number', given)
    case 'boolean': return readBoolean(name, given, required)
    case 'string': return readText(name, property, given.value)
    default: return given.value
  }
}

const a = (type: string) => type === 'integer' ? 'an integer' : `a ${type}`

const DECIMAL = { integer: /^[+-]?\d{1,15}$/, number: /^[+-]?(\d+\.?\d*|\.\d+)$/ }

function readNumber (name: string, type: 'integer' | 'number', { value }: Given): number {
  const fits = typeof value === 'number' || (typeof value === 'string' && DECIMAL[type].test(value.trim()))
  const number = fits ? Number(value) : NaN
  if (Number.isFinite(number) && (type === 'number' || Number.isInteger(number))) return number
  throw new BadInput(`${name} must be ${a(type)}, got ${show(value)}`)
}

/** Optional switches take any other text as false; a required one must be plain. */
function readBoolean (name: string, { value }: Given, required: boolean): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  if (word === 'true') return true
  if (word === 'false' || (word !== undefined && !required)) return false
  throw new BadInput(`${name} must be true or false, got ${show(value)}`)
}

/** Listed values are matched without regard to case. */
function readText (name: string, { enum: values }: Property, value: unknown): string {
  if (typeof value !== 'string') throw new BadInput(`${name} must be text, got ${show(value)}`)
  if (values === undefined) return value
  const word = value.trim().toLowerCase()
  const found = values.find(known => String(known).toLowerCase() === word)
  if (found === undefined) throw new BadInput(`${name} must be one of ${values.join(', ')}, got ${show(value)}`)
  return String(found)
}

const LONGEST_SHOWN = 60
/**
 * Texts in plain quotes: escaped once more, a secret in them would not be known for one. What has parts is only
 * named: it may be nested deeper than can be written.
 */
const show = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? `"${value}"` : String(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
