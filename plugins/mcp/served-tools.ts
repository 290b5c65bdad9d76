import type { Tool as ToolDefinition, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { TObject, TSchema } from 'typebox'
import { policy, type Effect, type Tool } from '../../core/index.js'
import type { RawTool } from './contributions.js'
import { once } from './once.js'
import { outputSchemaOf, type OutputSchema } from './output-schema.js'
import { PARAMETERS } from './parameters.data.js'
import { LONG_SIDE } from './pictures.js'

/** What every served tool has. */
interface Served {
  readonly definition: ToolDefinition
  /** For people. */
  readonly title: string
  readonly effect: Effect
  /** The caller must confirm that the user agreed. */
  readonly permission: boolean
  /** Calling it twice has the same effect as calling it once. */
  readonly idempotent: boolean
  /** Arguments are validated against it. */
  readonly schema: TObject
}

/** A tool that is bound to an operation. */
export interface ServedTool extends Served {
  readonly binding: Tool
  /** Takes a printer's name. */
  readonly printer: boolean
  /** Of the structured content of its successes; made when it is first needed. */
  readonly outputSchema: () => OutputSchema
}

/** A tool that a plugin implements itself. */
export interface ServedRawTool extends Served { readonly raw: RawTool }

const SPELLED = new Map([['ams', 'AMS'], ['hms', 'HMS'], ['mqtt', 'MQTT'], ['rfid', 'RFID'], ['3mf', '3MF'],
  ['sdcard', 'SD Card'], ['gcode', 'G-code'], ['id', 'ID'], ['url', 'URL'], ['wifi', 'Wi-Fi'], ['html', 'HTML']])

/** `get_hms_errors` becomes `Get HMS Errors`. */
export const titleOf = (name: string): string => name.split('_')
  .map(word => SPELLED.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1)).join(' ')

export function serveTool (binding: Tool): ServedTool {
  const { operation, params = operation.input as TObject } = binding
  const effect = binding.effect ?? operation.effect
  const { permission, readOnlyHint, destructiveHint } = policy[effect]
  const asks = permission && binding.permission !== false
  const printer = operation.scope === 'printer' && !Object.hasOwn(params.properties, 'name')
  const schema = schemaOf(params, { printer, asks, sized: binding.shows === 'sized', paged: binding.pages !== undefined })
  const { name, title = titleOf(name), idempotent = true } = binding
  const definition: ToolDefinition = {
    name,
    title,
    description: binding.description ?? operation.summary,
    inputSchema: listedSchema(schema),
    annotations: hints({
      readOnlyHint,
      destructiveHint,
      idempotentHint: idempotent,
      openWorldHint: !(binding.closedWorld ?? (effect === 'read' || effect === 'local'))
    })
  }
  const outputSchema = once(() => outputSchemaOf(binding, effect))
  return { binding, definition, title, effect, permission: asks, idempotent, printer, schema, outputSchema }
}

/**
 * Only annotations that differ from the protocol's defaults: not read-only, not idempotent, open world. For a
 * read-only tool, destructive and idempotent are meaningless. Source: the protocol, "ToolAnnotations".
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

/** Nearly every tool has these: the instructions and the error messages explain them, so the schema does not. */
const NAME = { name: { type: 'string' } } as const
const PERMISSION = { user_permission: { type: 'boolean' } } as const

/** Schema keywords for other readers, or only for validation. */
const UNLISTED = new Set(['title', 'x-openapi', 'x-unlisted', 'maximum', 'minLength', 'maxLength', 'maxItems', 'pattern'])
/** Obvious values, not worth listing. */
const OBVIOUS: Readonly<Record<string, readonly unknown[]>> = { default: [false, ''], minimum: [0, 1] }

const isListed = (key: string, value: unknown): boolean => !UNLISTED.has(key) && !OBVIOUS[key]?.includes(value)

const described = (name: string, part: TSchema & { description?: string }): TSchema => {
  const description = part.description ?? PARAMETERS[name]
  return description === undefined ? part : { ...part, description }
}

/** `x-unlisted`: an alternative that is accepted but not listed; `required`: listed as if it were the only one. */
interface Marks { readonly 'x-unlisted'?: boolean, readonly 'x-openapi'?: { readonly required?: boolean } }

/** Every agent reads the list before its first call and pays for each word of it. */
function listedSchema ({ properties, ...schema }: TObject): ToolDefinition['inputSchema'] {
  const needed = schema.required as readonly string[] | undefined ?? []
  const shown = Object.entries(properties).filter(([, part]) => (part as Marks)['x-unlisted'] !== true)
  const marked = shown.filter(([, part]) => (part as Marks)['x-openapi']?.required === true)
  const required = [...needed, ...marked.map(([name]) => name)]
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, part]) => [name, listedPart(described(name, part))])),
    ...(required.length > 0 && { required })
  }
}

const listedPart = (part: TSchema): object => Object.fromEntries(Object.entries(part)
  .filter(([key, value]) => isListed(key, value))
  .map(([key, value]) => key === 'items' ? [key, listedPart(value as TSchema)] : [key, value]))

/** Some models refuse an enum without a type. */
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

/** A raw tool that changes something requires permission like any other. */
export function serveRawTool (raw: RawTool): ServedRawTool {
  const { effect, definition: { name, title = titleOf(name), annotations, inputSchema, ...rest } } = raw
  const { permission, readOnlyHint, destructiveHint } = policy[effect]
  const schema = permission
    ? { ...inputSchema, properties: { ...inputSchema.properties, ...PERMISSION } }
    : inputSchema
  const toolHints = { readOnlyHint, destructiveHint, ...annotations }
  const definition: ToolDefinition = {
    name,
    title,
    ...rest,
    inputSchema: schema,
    annotations: hints(toolHints)
  }
  const { idempotentHint: idempotent = readOnlyHint } = toolHints
  return { raw, definition, title, effect, permission, idempotent, schema: checkable(schema) }
}

/** The validator supports one dialect and refuses schemas that name another; what it uses is the same in both. */
const checkable = ({ $schema: _, ...schema }: ToolDefinition['inputSchema']) => schema as unknown as TObject
