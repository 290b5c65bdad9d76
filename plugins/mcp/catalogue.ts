import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'
import type { TObject } from 'typebox'
import { policy, type Effect, type Tool } from '../../core/index.js'

/** A tool as it is served: its definition, and what the call needs to know. */
export interface ServedTool {
  readonly face: Tool
  readonly definition: ToolDefinition
  readonly effect: Effect
  /** The caller must say that the user agreed. */
  readonly permission: boolean
  /** The arguments begin with a printer's name. */
  readonly printer: boolean
  readonly schema: TObject
}

const ACRONYMS = new Map([['ams', 'AMS'], ['hms', 'HMS'], ['mqtt', 'MQTT'], ['rfid', 'RFID'], ['3mf', '3MF'],
  ['sdcard', 'SD Card'], ['gcode', 'G-code'], ['id', 'ID'], ['url', 'URL']])

/** `get_hms_errors` becomes `Get HMS Errors`. */
export const titleOf = (name: string): string => name.split('_')
  .map(word => ACRONYMS.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1)).join(' ')

/** Turns the contributed faces into served tools, once. */
export function serveTool (face: Tool): ServedTool {
  const { operation, params = operation.input as TObject } = face
  const effect = face.as ?? operation.effect
  const { permission, readOnlyHint, destructiveHint } = policy[effect]
  const asks = permission && face.permission !== false
  const printer = operation.scope === 'printer' && !Object.hasOwn(params.properties, 'name')
  const schema = schemaOf(params, printer, asks)
  const definition: ToolDefinition = {
    name: face.name,
    title: face.title ?? titleOf(face.name),
    description: face.description ?? operation.summary,
    inputSchema: schema as unknown as ToolDefinition['inputSchema'],
    annotations: {
      readOnlyHint,
      destructiveHint,
      idempotentHint: face.idempotent ?? true,
      openWorldHint: !(face.closedWorld ?? (effect === 'read' || effect === 'local'))
    }
  }
  return { face, definition, effect, permission: asks, printer, schema }
}

/** What `name` and `user_permission` mean is said once, in the instructions. */
function schemaOf (params: TObject, printer: boolean, permission: boolean): TObject {
  const required = [...(printer ? ['name'] : []), ...(params.required as readonly string[] | undefined ?? [])]
  return {
    type: 'object',
    properties: {
      ...(printer && { name: { type: 'string' } }),
      ...params.properties,
      ...(permission && { user_permission: { type: 'boolean', default: false } })
    },
    ...(required.length > 0 && { required })
  } as unknown as TObject
}
