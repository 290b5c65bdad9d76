import { BadInput, misfit } from '../../core/index.js'
import type { TObject, TSchema } from 'typebox'

/** Where the parameters of a request may stand. A JSON body wins over a form, a form over the query. */
export interface Sources {
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Readonly<Record<string, unknown>>
  readonly json: Readonly<Record<string, unknown>>
}

interface Given { readonly value: unknown, readonly typed: boolean }

function find ({ query, form, json }: Sources, name: string): Given | undefined {
  if (Object.hasOwn(json, name)) return { value: json[name], typed: true }
  const text = Object.hasOwn(form, name) ? form[name] : Object.hasOwn(query, name) ? query[name] : undefined
  // A parameter that was repeated arrives as a list: the last one counts.
  return text === undefined ? undefined : { value: Array.isArray(text) ? text.at(-1) : text, typed: false }
}

/** One text parameter, for what a surface itself needs. */
export const textParam = (sources: Sources, name: string): string | undefined => {
  const given = find(sources, name)?.value
  return typeof given === 'string' && given !== '' ? given : undefined
}

/**
 * Reads a route's parameters. Texts of query and form are turned into the type the schema wants; values of a
 * JSON body must have it already.
 * @throws PRN_ERR_BAD_INPUT naming the parameter
 */
export function readParams (schema: TObject, sources: Sources): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const given = find(sources, name)
    if (given === undefined) continue
    const required = (schema.required as readonly string[] | undefined)?.includes(name) ?? false
    const value = readValue(name, property as Property, given, required)
    if (value !== undefined) params[name] = value
  }
  const problem = misfit(schema, params)
  if (problem !== undefined) throw new BadInput(problem)
  return params
}

interface Property { readonly type?: string, readonly enum?: readonly unknown[] }

function readValue (name: string, property: Property, given: Given, required: boolean): unknown {
  if (given.value === null && given.typed && property.type !== undefined) return absent(name, property, required)
  switch (property.type) {
    case 'integer':
    case 'number': return readNumber(name, property.type, given)
    case 'boolean': return readBoolean(name, given, required)
    case 'string': return readText(name, property, given)
    default: return given.value
  }
}

/** A JSON null stands for "not given", which a required parameter must not be. */
function absent (name: string, { type }: Property, required: boolean): undefined {
  if (required) throw new BadInput(`${name} must be ${a(type ?? 'value')}, not null`)
  return undefined
}

const a = (type: string) => type === 'integer' ? 'an integer' : `a ${type}`

const DECIMAL = { integer: /^[+-]?\d{1,15}$/, number: /^[+-]?(\d+\.?\d*|\.\d+)$/ }

function readNumber (name: string, type: 'integer' | 'number', { value, typed }: Given): number {
  const fits = typed ? typeof value === 'number' : typeof value === 'string' && DECIMAL[type].test(value.trim())
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
function readText (name: string, { enum: values }: Property, { value }: Given): string {
  if (typeof value !== 'string') throw new BadInput(`${name} must be text, got ${show(value)}`)
  if (values === undefined) return value
  const word = value.trim().toLowerCase()
  const found = values.find(known => String(known).toLowerCase() === word)
  if (found === undefined) throw new BadInput(`${name} must be one of ${values.join(', ')}, got ${show(value)}`)
  return String(found)
}

const LONGEST_SHOWN = 60
const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
