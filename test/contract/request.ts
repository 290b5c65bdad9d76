import type { InjectOptions } from 'fastify'
import type { Fault, HttpRow } from './http.data.js'
import type { Fields, Reply } from './fleet.js'
import type { Way } from './invalid.js'
import { flaws, matching } from './rows.js'

/** The ways in which a route takes its parameters. */
export const waysOf = ({ method }: Pick<HttpRow, 'method'>): readonly Way[] =>
  method === 'GET' || method === 'DELETE' ? ['query'] : ['query', 'form', 'json']

/** Everything that is text, form and query can carry. */
export const isTextual = (params: Fields): boolean =>
  Object.values(params).every(value => value !== null && typeof value !== 'object')

const texts = (params: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export function requestOf ({ method, path }: HttpRow, way: Way, params: Fields): InjectOptions {
  const base = { method, url: path }
  switch (way) {
    case 'query': return { ...base, query: texts(params) }
    case 'form': return { ...base, headers: FORM, payload: new URLSearchParams(texts(params)).toString() }
    case 'json': return { ...base, payload: params }
  }
}

/** What is wrong with the answer of a route that did what it was asked. */
export function wrongSuccess ({ success }: HttpRow, { status, type, headers, body }: Reply): string[] {
  const { shape, exact = false, list = false } = success
  return [
    ...(status === 200 ? [] : [`status ${status}: ${JSON.stringify(body)}`]),
    ...(type?.toLowerCase() === success.type ? [] : [`type ${type}`]),
    ...(body === undefined || headers['cache-control'] === 'no-store' ? [] : ['it may be cached']),
    ...(shape === undefined ? [] : flaws(body, shape, exact)),
    ...(list && !Array.isArray(body) ? ['no list'] : [])
  ]
}

/** What is wrong with an answer that should tell of a fault. */
export function wrongFault (fault: Fault, { status, body, text }: Reply, known: Fields = {}): string[] {
  const wrongStatus = status === fault.status ? [] : [`status ${status} instead of ${fault.status}: ${text}`]
  if (fault.body === undefined) return [...wrongStatus, ...(text === '' ? [] : [`a body: ${text}`])]
  const members = body as Fields | undefined ?? {}
  return [
    ...wrongStatus,
    ...(members.status === 'error' ? [] : ['no status']),
    ...Object.entries(fault.body).flatMap(([name, template]) =>
      matching(template, known).test(String(members[name]))
        ? []
        : [`${name} is ${JSON.stringify(members[name])}, not ${template}`])
  ]
}
