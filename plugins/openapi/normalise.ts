type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Rewrites JSON Schema as OpenAPI 3.0: an enum gets a type, `const` becomes an enum with one value, and a union with
 * null becomes `nullable`.
 */
export function normaliseSchemas (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normaliseSchemas)
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
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, normaliseSchemas(value)]))

function nullable ({ anyOf: _, ...rest }: Fields, options: readonly Fields[]): unknown {
  const others = options.filter(option => !isNull(option))
  return others.length === 1
    ? normaliseSchemas({ ...rest, ...others[0], nullable: true })
    : normaliseSchemas({ ...rest, anyOf: others, nullable: true })
}

interface Media { readonly schema?: { readonly required?: readonly string[] } }
interface Body { required?: boolean, readonly content?: Readonly<Record<string, Media>> }

/** A body is required only if one of its members is; the library marks every body as required. */
export function normaliseBodies (document: Fields): Fields {
  for (const path of Object.values(document.paths as Record<string, Fields>)) {
    for (const { requestBody } of Object.values(path) as { requestBody?: Body }[]) {
      if (requestBody === undefined) continue
      const { content = {} } = requestBody
      requestBody.required = Object.values(content).some(({ schema }) => (schema?.required ?? []).length > 0)
    }
  }
  return document
}
