import type { TSchema } from 'typebox'
import { validationError, unknownName } from '../../core/index.js'
import type { ServedTool } from './served-tools.js'

type Arguments = Readonly<Record<string, unknown>>

const isListed = (values: unknown): values is readonly string[] =>
  Array.isArray(values) && values.every(value => typeof value === 'string')

/** Enum values are matched case-insensitively. */
function spelt (value: unknown, { enum: values }: TSchema & { enum?: unknown }): unknown {
  if (typeof value !== 'string' || !isListed(values)) return value
  const word = value.trim().toLowerCase()
  return values.find(known => known.toLowerCase() === word) ?? value
}

/** Earlier names of the `name` parameter, which agents still use. */
const NAMES = ['printer', 'printer_name']

function withName (args: Arguments, known: readonly string[]): Arguments {
  const other = NAMES.find(name => args[name] !== undefined && !known.includes(name))
  if (other === undefined || !known.includes('name')) return args
  const { [other]: name, ...rest } = args
  return { name, ...rest }
}

/**
 * Arguments in canonical form. JSON null means "not given" where a parameter is optional and does not itself accept
 * null.
 */
export function readArguments (given: Arguments, { schema }: ServedTool): Record<string, unknown> {
  const args = withName(given, Object.keys(schema.properties))
  const required = schema.required as readonly string[] | undefined ?? []
  const schemaOf = (name: string): TSchema =>
    (Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined) ?? {}
  const takesNull = (name: string) => validationError(schemaOf(name), null) === undefined
  return Object.fromEntries(Object.entries(args)
    .filter(([name, value]) => value !== null || required.includes(name) || takesNull(name))
    .map(([name, value]) => [name, spelt(value, schemaOf(name))]))
}

/** Agents send these out of habit, also to tools that do not take them. */
const ALWAYS_ALLOWED = ['name', 'user_permission']

/**
 * What is wrong with the arguments, if anything. A tool that changes something refuses unknown arguments, because a
 * misspelt one would make it do something other than what was asked. Reads ignore them.
 */
export function argumentProblem (given: Arguments, { schema, effect }: ServedTool): string | undefined {
  const known = Object.keys(schema.properties)
  const unfamiliar = effect === 'read' ? [] : Object.keys(given).filter(name => !ALWAYS_ALLOWED.includes(name))
  return unknownName('argument', unfamiliar, known) ?? validationError(schema, given)
}
