import type { TSchema } from 'typebox'
import { validationError, unknownName } from '../../core/index.js'
import type { ServedTool } from './catalogue.js'

type Arguments = Readonly<Record<string, unknown>>

const isListed = (values: unknown): values is readonly string[] =>
  Array.isArray(values) && values.every(value => typeof value === 'string')

/** Listed words are matched without regard to case. */
function spelt (value: unknown, { enum: values }: TSchema & { enum?: unknown }): unknown {
  if (typeof value !== 'string' || !isListed(values)) return value
  const word = value.trim().toLowerCase()
  return values.find(known => known.toLowerCase() === word) ?? value
}

/** Other words for a printer's name, as tools had them before and agents go on to write them. */
const NAMES = ['printer', 'printer_name']

function withName (args: Arguments, known: readonly string[]): Arguments {
  const other = NAMES.find(name => args[name] !== undefined && !known.includes(name))
  if (other === undefined || !known.includes('name')) return args
  const { [other]: name, ...rest } = args
  return { name, ...rest }
}

/**
 * The arguments as the operation is to have them. JSON null stands for "not given" where a parameter is optional and
 * takes no null of its own.
 */
export function read (given: Arguments, { schema }: ServedTool): Record<string, unknown> {
  const args = withName(given, Object.keys(schema.properties))
  const required = schema.required as readonly string[] | undefined ?? []
  const schemaOf = (name: string): TSchema =>
    (Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined) ?? {}
  const takesNull = (name: string) => validationError(schemaOf(name), null) === undefined
  return Object.fromEntries(Object.entries(args)
    .filter(([name, value]) => value !== null || required.includes(name) || takesNull(name))
    .map(([name, value]) => [name, spelt(value, schemaOf(name))]))
}

/** Sent along by habit, also to tools that have no use for them. */
const USUAL = ['name', 'user_permission']

/**
 * What is wrong with arguments; undefined when nothing is. A tool that changes something refuses an argument that
 * does not exist: a misspelt one would otherwise do something else than was asked. Reads ignore it.
 */
export function problemOf (given: Arguments, { schema, effect }: ServedTool): string | undefined {
  const known = Object.keys(schema.properties)
  const strangers = effect === 'read' ? [] : Object.keys(given).filter(name => !USUAL.includes(name))
  return unknownName('argument', strangers, known) ?? validationError(schema, given)
}
