import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { closestMatch } from './closest-match.js'

const COMMON = {
  strict: false,
  strictNumbers: true, // JSON such as 1e999 is read as an infinite number
  verbose: true,
  addUsedSchema: false, // two kernels may use the same schema
  meta: false, // schemas are built by a library: validating them too took longer than compiling them
  validateSchema: false,
  code: { optimize: false },
  logger: false
} as const

type Compile = (schema: TSchema) => ValidateFunction

/** Compiles each schema once. */
function compileOnce (compile: Compile): Compile {
  const compiled = new WeakMap<object, ValidateFunction>()
  return schema => {
    const known = compiled.get(schema)
    if (known) return known
    const made = compile(schema)
    compiled.set(schema, made)
    return made
  }
}

const inputs = new Ajv({ ...COMMON, useDefaults: true })
const validator = compileOnce(schema => inputs.compile(schema))

/** Without defaults, because outputs must not be changed. */
const outputs = new Ajv({ ...COMMON, validateFormats: false })
const outputValidator = compileOnce(schema => outputs.compile(closed(schema) as TSchema))

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mayBeUndefined = ({ type, anyOf }: { readonly type?: unknown, readonly anyOf?: readonly object[] }): boolean =>
  type === 'undefined' || (type === undefined && (anyOf?.some(mayBeUndefined) ?? true))

/** The same schema for JSON, except that objects with declared members have no others. */
function closed (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isTree(schema)) return schema
  if (schema.type === 'undefined') return { not: {} }
  if (schema.format === 'binary') return {} // a buffer or a stream inside the service
  const inside = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]))
  const isClosed = schema.type === 'object' && isTree(schema.properties) && schema.additionalProperties === undefined
  return isClosed ? { ...inside, additionalProperties: false } : inside
}

/**
 * Validates a value against a schema, strictly and without coercion, and fills in defaults.
 * @returns undefined if it is valid, else one sentence with the path: `temp must be integer`
 */
export const validationError = (schema: TSchema, value: unknown): string | undefined =>
  firstError(validator(schema), value)

/**
 * Compares an output with its schema and leaves it as it is. Undeclared members are errors too, unless the schema
 * allows them.
 * @returns undefined if it is valid, else one sentence with the path
 */
export const outputError = (schema: TSchema, output: unknown): string | undefined =>
  output === undefined && mayBeUndefined(schema) ? undefined : firstError(outputValidator(schema), output)

/**
 * Whether an output fits its schema, without words. It interprets the schema: compiling that of a large document blocks
 * the process a hundred times as long as one check.
 */
export async function fitsOutput (schema: TSchema, output: unknown): Promise<boolean> {
  if (output === undefined && mayBeUndefined(schema)) return true
  const { Check } = await import('typebox/schema')
  return Check(closed(schema) as TSchema, output)
}

function firstError (check: ValidateFunction, value: unknown): string | undefined {
  if (check(value)) return undefined
  const errors = check.errors ?? []
  const titled = errors.find(error => error.keyword === 'anyOf' && titleOf(error) !== undefined)
  const first = titled ?? errors[0]
  return first ? sentence(first) : 'does not fit'
}

/** The title of a union describes what it accepts. */
const titleOf = (error: ErrorObject) => (error.parentSchema as { title?: string } | undefined)?.title

const step = (path: string, part: string): string => {
  if (/^\d+$/.test(part)) return `${path}[${part}]`
  if (!/^[\w-]+$/.test(part)) return `${path}['${part}']`
  return path === '' ? part : `${path}.${part}`
}

/** Converts a JSON pointer to common notation: `/printers/0/host` becomes `printers[0].host`. */
const place = (pointer: string) => pointer.split('/').slice(1)
  .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(step, '')

function sentence (error: ErrorObject): string {
  const at = place(error.instancePath)
  const params = error.params as Record<string, unknown>
  const inside = at === '' ? '' : `${at}: `
  switch (error.keyword) {
    case 'required': return inside + (misspelt(error) ?? `'${params.missingProperty}' is required`)
    case 'additionalProperties': return inside + unknownKey(error)
    case 'enum': return `${at} must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const': return `${at} must be ${JSON.stringify(params.allowedValue)}`
    case 'anyOf': return `${at} must be ${titleOf(error) ?? 'something else'}`
    case 'type': return `${at === '' ? 'it' : at} must be ${[params.type].flat().join(' or ')}`
    default: return `${at} ${error.message ?? 'does not fit'}`.trim()
  }
}

function unknownKey (error: ErrorObject): string {
  const key = String((error.params as Record<string, unknown>).additionalProperty)
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
  return unknownName('key', [key], known) ?? ''
}

/** A missing member is often present under a misspelt name. */
function misspelt ({ params, data, parentSchema }: ErrorObject): string | undefined {
  const missing = String((params as Record<string, unknown>).missingProperty)
  const { properties = {} } = (parentSchema ?? {}) as { properties?: object }
  const given = Object.keys((data ?? {}) as object).filter(key => !Object.hasOwn(properties, key))
  const close = closestMatch(missing, given)
  return close === undefined ? undefined : unknownName('key', [close], [missing])
}

const LONGEST_NAME = 60

/**
 * The first unknown name, in a sentence that suggests the intended one.
 * @param kind of the names, such as `parameter`
 */
export function unknownName (kind: string, names: readonly string[], known: readonly string[]): string | undefined {
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return undefined
  const shown = unknown.length > LONGEST_NAME ? `${unknown.slice(0, LONGEST_NAME)}…` : unknown
  const close = closestMatch(shown, known)
  if (close !== undefined) return `unknown ${kind} '${shown}'; did you mean '${close}'?`
  return `unknown ${kind} '${shown}'; ${known.length === 0 ? 'there are none' : `known ${kind}s: ${known.join(', ')}`}`
}

/** Deeper than any valid request; much deeper values could not be serialised. */
export const MOST_LEVELS = 64

/** True if lists and objects are nested at most so many levels deep; checks no deeper than that. */
export const isNestedWithin = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== 'object' || value === null ||
  (levels > 0 && Object.values(value).every(part => isNestedWithin(part, levels - 1)))
