import type { Tool as ToolDefinition, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { TObject, TSchema } from 'typebox'
import { policy, type Effect, type Tool } from '../../core/index.js'
import type { RawTool } from './contributions.js'
import { PARAMETERS } from './parameters.data.js'
import { LONG_SIDE } from './pictures.js'

/** What every tool that is served has. */
interface Served {
  readonly definition: ToolDefinition
  /** For people; listed only where it says something else than the name. */
  readonly title: string
  readonly effect: Effect
  /** The caller must say that the user agreed. */
  readonly permission: boolean
  /** Calling it twice does no more than calling it once. */
  readonly idempotent: boolean
  /** What arguments are checked against. */
  readonly schema: TObject
}

/** A face over an operation as it is served. */
export interface ServedTool extends Served {
  readonly face: Tool
  /** The arguments begin with a printer's name. */
  readonly printer: boolean
}

/** A raw tool as it is served. */
export interface ServedRawTool extends Served { readonly raw: RawTool }

const SPELLED = new Map([['ams', 'AMS'], ['hms', 'HMS'], ['mqtt', 'MQTT'], ['rfid', 'RFID'], ['3mf', '3MF'],
  ['sdcard', 'SD Card'], ['gcode', 'G-code'], ['id', 'ID'], ['url', 'URL'], ['wifi', 'Wi-Fi'], ['html', 'HTML']])

/** `get_hms_errors` becomes `Get HMS Errors`. */
export const titleOf = (name: string): string => name.split('_')
  .map(word => SPELLED.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1)).join(' ')

/** Turns a contributed face into a served tool. */
export function serveTool (face: Tool): ServedTool {
  const { operation, params = operation.input as TObject } = face
  const effect = face.effect ?? operation.effect
  const { permission, readOnlyHint, destructiveHint } = policy[effect]
  const asks = permission && face.permission !== false
  const printer = operation.scope === 'printer' && !Object.hasOwn(params.properties, 'name')
  const schema = schemaOf(params, { printer, asks, sized: face.shows === 'sized', paged: face.pages !== undefined })
  const { name, title = titleOf(name), idempotent = true } = face
  const definition: ToolDefinition = {
    name,
    ...listedTitle(name, title),
    description: face.description ?? operation.summary,
    inputSchema: listed(schema),
    annotations: hints({
      readOnlyHint,
      destructiveHint,
      idempotentHint: idempotent,
      openWorldHint: !(face.closedWorld ?? (effect === 'read' || effect === 'local'))
    })
  }
  return { face, definition, title, effect, permission: asks, idempotent, printer, schema }
}

const listedTitle = (name: string, title: string) => title === titleOf(name) ? {} : { title }

/**
 * Annotations as far as they say something: what is left out is not read-only, not idempotent, and of an open world,
 * and what only reads is neither destructive nor idempotent. Source: the protocol, "ToolAnnotations".
 */
function hints ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others }: ToolAnnotations) {
  return {
    ...others,
    ...(readOnlyHint === true
      ? { readOnlyHint }
      : { destructiveHint, ...(idempotentHint === true && { idempotentHint }) }),
    ...(openWorldHint === false && { openWorldHint })
  }
}

/** Said by nearly every tool: what they mean is in the instructions, and in the answer to what is wrong. */
const NAME = { name: { type: 'string' } } as const
const PERMISSION = { user_permission: { type: 'boolean' } } as const

/** Said of a parameter for other readers, or checked only. */
const UNLISTED = new Set(['title', 'x-openapi', 'x-unlisted', 'maximum', 'minLength', 'maxLength', 'maxItems', 'pattern'])
/** A switch that is left out is off, a text empty, and counts begin at 0 or 1. */
const EXPECTED: Readonly<Record<string, readonly unknown[]>> = { default: [false, ''], minimum: [0, 1] }

const isTold = (key: string, value: unknown): boolean => !UNLISTED.has(key) && !EXPECTED[key]?.includes(value)

const described = (name: string, part: TSchema & { description?: string }): TSchema => {
  const description = part.description ?? PARAMETERS[name]
  return description === undefined ? part : { ...part, description }
}

/** Marks of a parameter: another spelling, taken and not listed; one that is listed as if nothing else would do. */
interface Marks { readonly 'x-unlisted'?: boolean, readonly 'x-openapi'?: { readonly required?: boolean } }

/** The list is read by every agent before its first call: each word in it is paid for every time. */
function listed ({ properties, ...schema }: TObject): ToolDefinition['inputSchema'] {
  const needed = schema.required as readonly string[] | undefined ?? []
  const shown = Object.entries(properties).filter(([, part]) => (part as Marks)['x-unlisted'] !== true)
  const marked = shown.filter(([, part]) => (part as Marks)['x-openapi']?.required === true)
  const required = [...needed, ...marked.map(([name]) => name)]
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, part]) => [name, told(described(name, part))])),
    ...(required.length > 0 && { required })
  }
}

/** The same of what is inside: items of a list are checked as well. */
const told = (part: TSchema): object => Object.fromEntries(Object.entries(part)
  .filter(([key, value]) => isTold(key, value))
  .map(([key, value]) => key === 'items' ? [key, told(value as TSchema)] : [key, value]))

/** Some models refuse a list of names that does not say that names are strings. */
const typedEnum = (part: TSchema & { enum?: readonly unknown[] }): TSchema =>
  part.enum?.every(value => typeof value === 'string') ? { type: 'string', ...part } : part

const typedEnums = (parts: Readonly<Record<string, TSchema>>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typedEnum(part)]))

const IMAGE = {
  image_px: { type: 'integer', minimum: 0, maximum: 2048, default: LONG_SIDE, description: '0 no picture' }
} as const

const CURSOR = { cursor: { type: 'string' } } as const

type Additions = Readonly<Record<'printer' | 'asks' | 'sized' | 'paged', boolean>>

function schemaOf (params: TObject, { printer, asks, sized, paged }: Additions): TObject {
  const required = [...(printer ? ['name'] : []), ...(params.required as readonly string[] | undefined ?? [])]
  return {
    type: 'object',
    properties: {
      ...(printer && NAME),
      ...typedEnums(params.properties),
      ...(sized && IMAGE),
      ...(paged && !Object.hasOwn(params.properties, 'cursor') && CURSOR),
      ...(asks && PERMISSION)
    },
    ...(required.length > 0 && { required })
  } as unknown as TObject
}

/** Turns a contributed raw tool into a served one: a writing one asks for permission like any other. */
export function serveRawTool (raw: RawTool): ServedRawTool {
  const { effect, definition: { name, title = titleOf(name), annotations, inputSchema, ...rest } } = raw
  const { permission, readOnlyHint, destructiveHint } = policy[effect]
  const schema = permission
    ? { ...inputSchema, properties: { ...inputSchema.properties, ...PERMISSION } }
    : inputSchema
  const told = { readOnlyHint, destructiveHint, ...annotations }
  const definition: ToolDefinition = {
    name,
    ...listedTitle(name, title),
    ...rest,
    inputSchema: schema,
    annotations: hints(told)
  }
  const { idempotentHint: idempotent = readOnlyHint } = told
  return { raw, definition, title, effect, permission, idempotent, schema: checkable(schema) }
}

/** The checker knows one dialect and refuses schemas that name another; what it must know is the same in both. */
const checkable = ({ $schema: _, ...schema }: ToolDefinition['inputSchema']) => schema as unknown as TObject
