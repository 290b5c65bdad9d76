import type { TObject, TSchema } from 'typebox'
import type { Effect, Tool } from '../../core/index.js'

/** As the protocol lists it: of every revision that knows it, because its root is an object. */
export type OutputSchema = { readonly type: 'object', readonly [key: string]: unknown }

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Keywords that a reader does not need, or that an answer may fail for no fault of its own: secrets in texts are
 * masked, and formats are not the same in every validator.
 */
const UNLISTED = new Set(['title', 'default', 'examples', 'pattern', 'format', 'minLength', 'maxLength'])
const isListed = (key: string): boolean => !UNLISTED.has(key) && !key.startsWith('x-') && !key.startsWith('~')

const isAbsent = (part: unknown): boolean => isFields(part) && part.type === 'undefined'

function listedMembers (properties: Fields): Fields {
  const members = Object.entries(properties).filter(([, part]) => !isAbsent(part))
  return Object.fromEntries(members.map(([name, part]) => [name, listed(part)]))
}

/** An operation's schema for readers outside; what refers to a schema of the HTTP description is left open. */
function listed (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.filter(part => !isAbsent(part)).map(listed)
  if (!isFields(schema)) return schema
  return Object.fromEntries(Object.entries(schema).filter(([key]) => isListed(key)).map(([key, part]) =>
    [key, key === 'properties' || key === 'patternProperties' ? listedMembers(part as Fields) : listed(part)]))
}

const resultOf = (schema: unknown): OutputSchema =>
  ({ type: 'object', properties: { result: schema }, required: ['result'] })

/** What `structuredContent` is made of, without remarks and cursor. */
function answerOf ({ returns, result, answer, operation }: Tool): OutputSchema {
  if (returns === 'text') return resultOf({ type: 'string' })
  const schema = (result === undefined ? operation.output : answer) as TSchema & { type?: unknown } | undefined
  if (schema === undefined) return { type: 'object' }
  if (returns === 'list' || schema.type === 'array') return resultOf(listed(schema))
  return { ...listed(schema) as Fields, type: 'object' }
}

const REMARKS = {
  confirmed: { const: false, description: 'Only there when the printer took the command and never answered it' },
  note: { type: 'string' }
}
const CURSOR = { next_cursor: { type: 'string', description: 'Send it back as cursor for the rest' } }

/**
 * The schema of a tool's structured content, made of the operation's own. A tool that makes another object of the
 * output without saying which has an open one.
 */
export function outputSchemaOf (tool: Tool, effect: Effect): OutputSchema {
  const answer = answerOf(tool)
  if (Object.keys(answer).length === 1) return answer
  const more = { ...(effect !== 'read' && REMARKS), ...(tool.pages !== undefined && CURSOR) }
  if (Object.keys(more).length === 0) return answer
  return { ...answer, properties: { ...more, ...answer.properties as TObject['properties'] | undefined } }
}
