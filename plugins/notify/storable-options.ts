// What of a kind's options the API may store, and the form that the page makes of it.

import type { TSchema } from 'typebox'
import type { MessageTargetKind } from './targets/types.js'

/** The parts of a JSON schema that matter here. */
interface Schema {
  readonly type?: string
  readonly secret?: boolean
  readonly hostFile?: boolean
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

export type OptionValues = Readonly<Record<string, unknown>>

const LONGEST_SECRET = 4_096

const mapped = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** Secrets are texts here: a reference would let the API read files and variables of the host. */
function storable (schema: Schema): Schema {
  if (schema.secret === true) return { type: 'string', maxLength: LONGEST_SECRET, minLength: 1 } as Schema
  const { items, patternProperties } = schema
  return {
    ...schema,
    ...(items && { items: storable(items) }),
    ...(patternProperties && { patternProperties: mapped(patternProperties, storable) })
  }
}

const propertiesOf = ({ options }: MessageTargetKind): [name: string, schema: Schema][] =>
  Object.entries(options.properties as Readonly<Record<string, Schema>>).filter(([, { hostFile }]) => hostFile !== true)

const schemas = new WeakMap<MessageTargetKind, TSchema>()

/** The schema of options that are set by the API: no references, and no files of the host. */
export function storableOptions (kind: MessageTargetKind): TSchema {
  const known = schemas.get(kind)
  if (known !== undefined) return known
  const properties = mapped(Object.fromEntries(propertiesOf(kind)), storable)
  const required = (kind.options.required ?? []).filter(name => Object.hasOwn(properties, name))
  const made = { type: 'object', properties, required, additionalProperties: false } as unknown as TSchema
  schemas.set(kind, made)
  return made
}

const holdsSecret = ({ secret, items, patternProperties = {} }: Schema): boolean =>
  secret === true || [...items ? [items] : [], ...Object.values(patternProperties)].some(holdsSecret)

/** Names of a kind's options that are secret. */
export const secretNamesOf = (kind: MessageTargetKind): ReadonlySet<string> =>
  new Set(propertiesOf(kind).filter(([, schema]) => holdsSecret(schema)).map(([name]) => name))

export const CONTROLS = ['text', 'secret', 'number', 'choice', 'list', 'pairs', 'json'] as const
type Control = (typeof CONTROLS)[number]

function controlOf (schema: Schema): Control {
  const { type, enum: choices, anyOf, patternProperties } = schema
  if (patternProperties !== undefined) return 'pairs'
  if (holdsSecret(schema)) return 'secret'
  if (choices !== undefined) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return 'list'
  return type === 'string' || anyOf !== undefined ? 'text' : 'json'
}

/** One field of the form for a kind. */
export interface Field {
  readonly name: string
  readonly control: Control
  readonly secret: boolean
  readonly required: boolean
  readonly hint: string
  readonly initial?: string
  readonly choices?: string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

export function fieldsOf (kind: MessageTargetKind): Field[] {
  const required = new Set(kind.options.required ?? [])
  return propertiesOf(kind).map(([name, schema]) => {
    const { description = '', default: initial, enum: choices, pattern, minimum, maximum } = schema
    return {
      name,
      control: controlOf(schema),
      secret: holdsSecret(schema),
      required: required.has(name) && initial === undefined,
      hint: description,
      ...(initial !== undefined && { initial: String(initial) }),
      ...(choices && { choices: [...choices] }),
      ...(pattern !== undefined && { pattern }),
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum })
    }
  })
}
