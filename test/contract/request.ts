import type { InjectOptions } from 'fastify'
import type { Fault, HttpRow } from './http.data.js'
import type { Fields, Reply } from './fleet.js'
import type { Way } from './invalid.js'
import { flaws, matching } from './rows.js'

/** The ways in which a route takes its parameters. */
export function waysOf ({ method, params }: Pick<HttpRow, 'method' | 'params'>): readonly Way[] {
  if (params.some(({ type }) => type === 'file')) return ['multipart']
  return method === 'GET' || method === 'DELETE' ? ['query'] : ['query', 'form', 'json']
}

/** Everything that is text, form and query can carry. */
export const isTextual = (params: Fields): boolean =>
  Object.values(params).every(value => value !== null && typeof value !== 'object')

const texts = (params: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A file as it is sent from a page. */
export interface SentFile { readonly name: string, readonly content: string }

const BOUNDARY = 'the-end-of-a-part'
const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

const multipart = (params: Fields): string => [
  ...Object.entries(params as Readonly<Record<string, SentFile>>).map(([field, { name, content }]) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}`),
  `--${BOUNDARY}--\r\n`
].join('\r\n')

export function requestOf ({ method, path }: HttpRow, way: Way, params: Fields): InjectOptions {
  const base = { method, url: path }
  switch (way) {
    case 'query': return { ...base, query: texts(params) }
    case 'form': return { ...base, headers: FORM, payload: new URLSearchParams(texts(params)).toString() }
    case 'json': return { ...base, payload: params }
    case 'multipart': return { ...base, headers: MULTIPART, payload: multipart(params) }
  }
}

/** What is wrong with the answer of a route that did what it was asked. */
export function wrongSuccess ({ success }: HttpRow, { status, type, headers, body, bytes }: Reply): string[] {
  const { shape, exact = false, list = false } = success
  return [
    ...(status === 200 ? [] : [`status ${status}: ${JSON.stringify(body)}`]),
    ...(type?.toLowerCase() === success.type ? [] : [`type ${type}`]),
    ...(body === undefined || headers['cache-control'] === 'no-store' ? [] : ['it may be cached']),
    ...(shape === undefined ? [] : flaws(body, shape, exact)),
    ...(list && !Array.isArray(body) ? ['no list'] : []),
    ...(success.type === 'image/jpeg' && bytes.readUInt16BE(0) !== 0xFFD8 ? ['no JPEG'] : [])
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
