import { isDeepStrictEqual } from 'node:util'

type Fields = Record<string, unknown>

const PLACE = '#/components/schemas/'
/** The only OpenAPI 3.0 schema that accepts null alone. */
const NULL = { type: 'object', nullable: true, enum: [null] }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]))

/**
 * Moves named schemas (`x-name`) to `components` and replaces them by references. `x-ref` refers to one by name, as in
 * a folder that contains entries of its own shape. A different schema with a known name stays inline.
 */
export function withComponents (document: Fields): Fields {
  const schemas: Record<string, unknown> = {}

  function visit (value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    if (!isFields(value)) return value
    if (typeof value['x-ref'] === 'string') return { $ref: PLACE + value['x-ref'] }
    const { 'x-name': name, ...plain } = value
    const inner = mapValues(plain, visit)
    return typeof name === 'string' ? named(name, inner) : inner
  }

  function named (name: string, inner: Fields): Fields {
    const { nullable, ...shape } = inner
    const known = schemas[name] ??= shape
    if (!isDeepStrictEqual(known, shape)) return inner
    const reference = { $ref: PLACE + name }
    return nullable === true ? { anyOf: [reference, NULL] } : reference
  }

  const found = visit(document) as Fields
  const { components } = found as { components?: Fields }
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b)))
  return { ...found, components: { ...components, schemas: { ...components?.schemas as Fields, ...sorted } } }
}
