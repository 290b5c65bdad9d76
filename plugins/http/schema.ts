import type { TObject, TSchema } from 'typebox'
import { accessOf, ok, policy, Success, UNCONFIRMED_HEADER, type Route } from '../../core/index.js'
import type { Dialect } from './dialect.js'
import { failuresOf, risksOf } from './failures.js'

type Fields = Record<string, unknown>

const PRINTER = {
  type: 'string',
  description: 'Name of a configured printer. Default: the default printer (see `GET /api/default_printer`).'
}

/** The context of a route's description. */
export interface Surroundings {
  readonly dialect: Dialect
  /** Credentials are required. */
  readonly locked: boolean
  /** Rate-limited. */
  readonly limited: boolean
}

/** `set_bed_target_temp` by PATCH becomes `patchSetBedTargetTemp`. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() + path.split(/[/_.:{}*-]+/).filter(Boolean)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/** The API description of a route. Documentation only: parameters are validated elsewhere. */
export function routeSchema (route: Route, plugin: string, { dialect, locked, limited }: Surroundings): Fields {
  const { operation, method, path, params = operation.input } = route
  const own = dialect.onePrinter !== true && operation.scope === 'printer' && !('printer' in params.properties)
    ? { printer: PRINTER }
    : {}
  return {
    operationId: operationId(route),
    summary: markerOf(route) + (route.summary ?? operation.summary),
    description: describe(route),
    tags: [route.tag ?? plugin],
    ...inputs(method, params, own, namesIn(path)),
    response: { ...failuresOf(risksOf(route, limited, locked), dialect), ...answersOf(route) }
  }
}

/** Everything but GET is marked as a write, even if it only changes the service's own data. */
export const markerOf = ({ method, operation: { effect } }: Pick<Route, 'method' | 'operation'>): string =>
  method === 'GET' ? policy[effect].marker : policy.write.marker

const describe = ({ operation, summary }: Route): string => [
  summary ?? operation.summary,
  ...(operation.consequence === undefined ? [] : [`${operation.consequence} Ask the user before calling it.`]),
  ...(accessOf(operation) === 'trusted' ? ['Without a token only for this machine'] : [])
].map(sentence => /[.!?]$/.test(sentence) ? sentence : `${sentence}.`).join(' ')

interface Shown { readonly required?: boolean, readonly [keyword: string]: unknown }

/**
 * Parameters for the API description. Some schemas accept more than the operation does, so that it can refuse values
 * with its own message; their `x-openapi` describes what is really accepted.
 */
export function shownParams ({ properties, required }: TObject): { properties: Fields, required: string[] } {
  const must: string[] = []
  const shown = Object.entries((properties ?? {}) as Record<string, Fields>).map(([name, property]) => {
    const { 'x-openapi': described, ...plain } = property
    const { required: needed, ...rest } = (described ?? {}) as Shown
    const given = (required as readonly string[] | undefined ?? []).includes(name) && plain.default === undefined
    if (needed ?? given) must.push(name)
    return [name, { ...plain, ...rest }] as const
  })
  return { properties: Object.fromEntries(shown), required: must }
}

/** Path parameters: `id` of `/recordings/:id/file`. */
const namesIn = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

const pick = (properties: Fields, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => isWanted(name)))

/** Reads take a query. Writes take a form or JSON; their query is described as well, with all parameters optional. */
function inputs (method: string, params: TObject, own: Fields, inPath: readonly string[]): Fields {
  const { properties: given, required: must } = shownParams(params)
  const properties = pick({ ...own, ...given }, name => !inPath.includes(name))
  const required = must.filter(name => !inPath.includes(name))
  const path = inPath.length > 0 && {
    params: { type: 'object', properties: pick(given, name => inPath.includes(name)), required: inPath }
  }
  if (Object.keys(properties).length === 0) return { ...path }
  if (method === 'GET' || method === 'DELETE') return { ...path, querystring: { type: 'object', properties, required } }
  return {
    ...path,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    querystring: { type: 'object', properties: optional(properties, required) },
    body: {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      description: 'The parameters. Those that are texts, numbers or switches may stand in the query instead.'
    }
  }
}

const optional = (properties: Fields, required: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => required.includes(name)
    ? [name, { ...schema as Fields, description: inQuery(schema as Fields) }]
    : [name, schema]))

const inQuery = ({ description = '' }: { description?: unknown }): string =>
  `Required, here or in the body. ${String(description)}`.trim()

const header = (description: string) => ({ type: 'string', description })

const UNCONFIRMED = { [UNCONFIRMED_HEADER]: header('`unconfirmed`: the printer did not answer') }
const TAG = { etag: header('Send it back as If-None-Match; only large answers have one') }
const UNCHANGED = { type: 'null', description: 'Nothing has changed since the answer with this ETag' }

const shapeOf = ({ body, reply, operation }: Route): TSchema | undefined =>
  body ?? (reply === ok ? Success : reply ? undefined : operation.output)

const contentOf = (shape: object): object =>
  'content' in shape ? { content: shape.content } : { content: { 'application/json': { schema: shape } } }

function answersOf (route: Route): Fields {
  const shape = shapeOf(route)
  const { etag: tagged = false } = route
  return {
    200: {
      description: 'Success',
      ...(shape && contentOf(shape)),
      ...(route.reply === ok ? { headers: UNCONFIRMED } : tagged ? { headers: TAG } : {})
    },
    ...(tagged && { 304: UNCHANGED }),
    ...Object.fromEntries(Object.entries(route.answers ?? {}).map(([status, { description, body }]) =>
      [status, { description, ...(body ? contentOf(body) : { type: 'null' }) }]))
  }
}
