import { BadInput, validationError, unknownName } from '../../core/index.js'
import type { TObject } from 'typebox'

/** Sources of parameters, in order of precedence: path, JSON body, form, query. */
export interface Sources {
  /** Parameters in the path of the route, such as `/recordings/:id`. */
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Readonly<Record<string, unknown>>
  readonly json: Readonly<Record<string, unknown>>
}

interface Given { readonly value: unknown }

/** JSON null means "not given", unless the parameter accepts any value. */
function find ({ path, query, form, json }: Sources, name: string, takesNull = false): Given | undefined {
  if (Object.hasOwn(path, name)) return { value: path[name] }
  if (Object.hasOwn(json, name) && (takesNull || json[name] !== null)) return { value: json[name] }
  const text = Object.hasOwn(form, name) ? form[name] : Object.hasOwn(query, name) ? query[name] : undefined
  // A repeated parameter arrives as a list: the last value counts.
  return text === undefined ? undefined : { value: Array.isArray(text) ? text.at(-1) : text }
}

/**
 * One text parameter that the interface itself needs; empty counts as not given.
 * @throws PRN_ERR_BAD_INPUT for anything but text, so that an invalid printer name never selects the default printer
 */
export function textParam (sources: Sources, name: string): string | undefined {
  const value = find(sources, name)?.value
  if (value === undefined || value === '') return undefined
  return readText(name, {}, value)
}

/**
 * Whether a request is a dry run. Anything but true or false is refused, so that a misspelt value never does the real
 * thing.
 * @throws PRN_ERR_BAD_INPUT
 */
export function isDryRun ({ query, form, json }: Sources): boolean {
  // Only texts are repeated: a list in JSON is a wrong value, also an empty one.
  const texts = [query, form].flatMap(source => Object.hasOwn(source, DRY_RUN) ? source[DRY_RUN] : [])
  const given = Object.hasOwn(json, DRY_RUN) ? [...texts, json[DRY_RUN]] : texts
  const [first = false, ...others] = given.map(value => readBoolean(DRY_RUN, { value }, true))
  if (others.some(other => other !== first)) throw new BadInput(`${DRY_RUN} is given as true and as false`)
  return first
}

/** A parameter of every route that changes something. */
export const DRY_RUN = 'dry_run'

/** Added by programs to bypass caches. */
const CACHE_BUSTER = '_'
const OF_ANY_ROUTE = new Set([CACHE_BUSTER, DRY_RUN])

/**
 * Refuses unknown parameters of a write, from any source: a misspelt one would make it do something other than what was
 * asked.
 * @param known names of the route's parameters
 * @throws PRN_ERR_BAD_INPUT suggesting the closest name
 */
export function refuseUnknown (known: readonly string[], { query, form, json }: Sources): void {
  const given = [query, form, json].flatMap(source => Object.keys(source)).filter(name => !OF_ANY_ROUTE.has(name))
  const problem = unknownName('parameter', given, known)
  if (problem !== undefined) throw new BadInput(problem)
}

/**
 * Refuses an empty `printer`: a write must not go to the default printer because a variable of the caller was empty.
 * @throws PRN_ERR_BAD_INPUT
 */
export function refuseNameless (sources: Sources): void {
  const given = find(sources, 'printer')
  if (given === undefined || (typeof given.value === 'string' && given.value.trim() !== '')) return
  throw new BadInput('printer must name a printer; leave it out for the default printer')
}

/**
 * Reads a route's parameters. Strings are converted to the schema's type, also in a JSON body.
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
  /** Required, without a default. */
  readonly required: boolean
}

const taken = new WeakMap<TObject, readonly Part[]>()

/** Cached by schema. */
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

/** An enum has the type of its values. */
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

/** For optional booleans any other text means false; required ones must be explicit. */
function readBoolean (name: string, { value }: Given, required: boolean): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  if (word === 'true') return true
  if (word === 'false' || (word !== undefined && !required)) return false
  throw new BadInput(`${name} must be true or false, got ${show(value)}`)
}

/** Enum values are matched case-insensitively. */
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
 * Strings are quoted without escaping, because an escaped secret would not be recognized and masked. Lists and objects
 * are only named, since they may be nested too deeply to serialize.
 */
const show = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? `"${value}"` : String(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
