/** As much of JSON Schema as the project uses. */
export interface Schema {
  readonly 'x-name'?: string
  readonly 'x-ref'?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  /** Kept out of backups, masked in everything shown. */
  readonly secret?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

const literal = (value: unknown) => typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

/** A schema in the notation of types. Inside another one, a large one goes by its name in the OpenAPI document. */
export function typeOf (schema: Schema, isInner = false): string {
  const name = schema['x-ref'] ?? schema['x-name']
  if (isInner && name !== undefined && name !== '') return name
  const { type, anyOf, items, enum: values } = schema
  if ('const' in schema) return literal(schema.const)
  if (values) return values.map(literal).join(' | ')
  if (anyOf) return [...new Set(anyOf.map(one => typeOf(one, true)))].join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') return items && typeOf(items, true) !== 'unknown' ? `${bracketed(typeOf(items, true))}[]` : 'unknown[]'
  if (type === 'object') return objectOf(schema)
  return type === undefined ? 'unknown' : String(type)
}

const objectOf = (schema: Schema): string => {
  const members = membersOf(schema)
  return members.length === 0 ? 'object' : `{ ${members.join(', ')} }`
}

const bracketed = (text: string) => /[|]/.test(text) && !/^{.*}$/s.test(text) ? `(${text})` : text

const keyOf = (name: string) => /^\w+$/.test(name) ? name : literal(name)

/** Members of an object in the notation of types, each with its name. */
export function membersOf (schema: Schema): string[] {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema
  const members = Object.entries(properties)
    .map(([name, part]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part, true)}`)
  const [any] = Object.values(patternProperties)
  const rest = any ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  if (rest) members.push(`[name]: ${typeOf(rest, true)}`)
  return members
}

/** What a value must keep to beside its type. */
function boundsOf ({ minimum, maximum, exclusiveMinimum, minLength, maxLength }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return [
    minimum === undefined ? '' : `at least ${minimum}`,
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    minLength === undefined || minLength < 2 ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`
  ].filter(Boolean).join(', ')
}

/** What a schema says of itself, with its bounds and whether it is secret. */
export function meaningOf (schema: Schema, description = schema.description ?? ''): string {
  const bounds = boundsOf(schema)
  const said = [bounds, schema.secret ? 'secret' : ''].filter(Boolean).join('; ')
  return said === '' || description === '' ? description + said : `${description} (${said})`
}

export const defaultOf = ({ default: value }: Schema): string =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0 && !Array.isArray(value))
    ? ''
    : JSON.stringify(value)
