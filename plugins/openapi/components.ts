import { isDeepStrictEqual } from 'node:util'

type Fields = Record<string, unknown>

const PLACE = '#/components/schemas/'
/** The only schema of OpenAPI 3.0 that takes null and nothing else. */
const NULL = { type: 'object', nullable: true, enum: [null] }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]))

/**
 * Puts schemas with a name of their own (`x-name`) in one place, and refers to it wherever they stood. `x-ref` refers
 * to one by its name, such as a folder that holds entries of its own shape. Another shape of a known name stays where
 * it is.
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
