type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Rewrites what JSON Schema allows and OpenAPI 3.0 does not: enumerations get a type, `const` becomes an
 * enumeration of one, a union with null becomes `nullable`, nothing else in JSON Schema's own words remains.
 */
export function asOpenApi3 (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOpenApi3)
  if (!isFields(value)) return value
  const { const: only, title, ...rest } = value
  const fields: Fields = only === undefined || isFields(only) ? { ...value } : { ...rest, enum: [only] }
  if (isFields(fields.properties)) return { ...fields, properties: mapValues(fields.properties) }
  if (Array.isArray(fields.enum) && fields.type === undefined) fields.type = typeof fields.enum[0]
  const options = Array.isArray(fields.anyOf) ? fields.anyOf as Fields[] : undefined
  if (options?.some(isNull)) return nullable(fields, options)
  return mapValues(fields)
}

const isNull = (schema: Fields) => schema.type === 'null'

const mapValues = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, asOpenApi3(value)]))

function nullable ({ anyOf: _, ...rest }: Fields, options: readonly Fields[]): unknown {
  const others = options.filter(option => !isNull(option))
  return others.length === 1
    ? asOpenApi3({ ...rest, ...others[0], nullable: true })
    : asOpenApi3({ ...rest, anyOf: others, nullable: true })
}

interface Media { readonly schema?: { readonly required?: readonly string[] } }
interface Body { required?: boolean, readonly content?: Readonly<Record<string, Media>> }

/** A body is required only if one of its members is; the library marks every body as required. */
export function withRequiredBodies (document: Fields): Fields {
  for (const path of Object.values(document.paths as Record<string, Fields>)) {
    for (const { requestBody } of Object.values(path) as { requestBody?: Body }[]) {
      if (requestBody === undefined) continue
      const { content = {} } = requestBody
      requestBody.required = Object.values(content).some(({ schema }) => (schema?.required ?? []).length > 0)
    }
  }
  return document
}
