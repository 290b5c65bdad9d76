import { Ajv, type ValidateFunction } from 'ajv'
import type { Kernel } from '../../core/index.js'

type Fields = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly text: string
}

interface Media { readonly schema?: Fields }
interface Response { readonly content?: Readonly<Record<string, Media>> }
interface Operation { readonly responses: Readonly<Record<string, Response>> }
interface Document { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** Compares answers with the description of the API. */
export interface Described {
  /** What the description does not say, or says differently, of one answer. */
  flaws (method: string, url: string, answer: Answer): readonly string[]
  /** Whether an answer with this status was compared. */
  has (method: string, path: string, status: number): boolean
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object that lists its members has no others, unless it says so: what an answer holds has to be described. */
function closed (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (!isFields(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]))
  const lists = value.type === 'object' && isFields(value.properties) && !('additionalProperties' in value)
  return lists ? { ...inner, additionalProperties: false } : inner
}

const pointer = (...steps: readonly string[]): string =>
  steps.map(step => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

const mediaType = (type: string | undefined): string => type?.split(';')[0]?.trim().toLowerCase() ?? ''

export function describedBy (document: Document): Described {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(closed(document) as Fields, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const seen = new Set<string>()

  function checkOf (place: string): ValidateFunction {
    const check = compiled.get(place) ?? ajv.compile({ $ref: `api#${place}` })
    compiled.set(place, check)
    return check
  }

  function bodyFlaws (place: string, text: string): string[] {
    const check = checkOf(place)
    if (check(JSON.parse(text))) return []
    return (check.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) =>
      `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`)
  }

  const templates = Object.keys(document.paths).filter(path => path.includes('{'))
    .map(path => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  /** As it is described: parameters of a path have names there. */
  const describedPath = (path: string): string => document.paths[path]
    ? path
    : templates.find(({ pattern }) => pattern.test(path))?.path ?? path

  return {
    flaws (method, url, { status, type, text }) {
      const path = describedPath(new URL(url, 'http://localhost').pathname)
      const name = method.toLowerCase()
      const operation = document.paths[path]?.[name]
      if (operation === undefined) return ['it is not described']
      const response = operation.responses[status]
      if (response === undefined) return [`status ${status} is not described: ${text.slice(0, 200)}`]
      seen.add(`${name} ${path} ${status}`)
      const { content } = response
      if (content === undefined) return text === '' ? [] : [`status ${status} has a body, and none is described`]
      const media = mediaType(type)
      if (content[media] === undefined) return [`status ${status} has the type ${type}, described are ${Object.keys(content).join(', ')}`]
      return media === 'application/json'
        ? bodyFlaws(pointer('paths', path, name, 'responses', String(status), 'content', media, 'schema'), text)
        : []
    },
    has: (method, path, status) => seen.has(`${method.toLowerCase()} ${path} ${status}`)
  }
}

/** The description that a service gives of itself. */
export const readDescription = async ({ app }: Kernel): Promise<Document> =>
  (await app.inject('/api/openapi.json')).json<Document>()
