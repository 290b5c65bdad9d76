import { refusalText, shell, t } from 'shell'
import { adapt, isStandalone } from './dialect.js'
import { askToken, currentToken } from './token.js'

export class ApiError extends Error {
  /** @param {number} status @param {string} reason */
  constructor (status, reason) {
    super(reason)
    this.status = status
  }
}

const NO_ANSWER = 0
const UNAUTHORIZED = 401
const METHODS = ['get', 'post', 'patch', 'delete', 'put']
const WAIT_MS = 120_000
/** Excludes the log's JSON lines, which are read as text. */
const JSON_DOCUMENT = /^application\/json\s*(;|$)/i

/** @type {{ paths: Record<string, any>, standalone: boolean }} */
let description = { paths: {}, standalone: false }
let printer = ''

/** Sets the printer of all calls, if there are several. @param {string} name */
export const choosePrinter = name => { printer = name }

/** True if the service offers a route, such as `snapshot`. @param {string} name */
export const has = name => `/api/${name}` in description.paths
export const standalone = () => description.standalone

/** @param {string} name @param {string} [wanted] */
function methodOf (name, wanted) {
  const offered = description.paths[`/api/${name}`] ?? {}
  if (wanted && wanted in offered) return wanted
  return METHODS.find(method => method in offered) ?? 'get'
}

const parameterOf = (name, method, parameter) =>
  (description.paths[`/api/${name}`]?.[method]?.parameters ?? []).find(({ name: known }) => known === parameter)
const takesPrinter = (name, method) => parameterOf(name, method, 'printer') !== undefined

/**
 * True if a route has a parameter and accepts a value for it. An unknown parameter would be ignored, and the call would
 * do something else than intended.
 * @param {string} name @param {string} parameter @param {string} [value] in lower case
 */
export function takes (name, parameter, value) {
  const { schema } = parameterOf(name, methodOf(name), parameter) ?? {}
  if (schema === undefined || value === undefined) return schema !== undefined
  return !schema.enum || schema.enum.some(known => String(known).toLowerCase() === value)
}

const headersOf = () => currentToken() === '' ? {} : { authorization: `Bearer ${currentToken()}` }
const queryOf = params => new URLSearchParams(Object.entries(params)
  .filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)])).toString()

/** @param {Record<string, unknown>} params for GET and DELETE, in the address */
export const addressOf = (path, params = {}) => {
  const query = queryOf(params)
  return query === '' ? path : `${path}?${query}`
}

/** Whose login has ended has a password and no token; opened again, the page leads to the login. @returns {never} */
function toLogin () {
  location.reload()
  throw new ApiError(UNAUTHORIZED, t('printer.error', { status: UNAUTHORIZED }))
}

/**
 * Sends a request with the token; asks for one when it is missing or wrong.
 * @param {string} path @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function request (path, init = {}) {
  for (;;) {
    const used = currentToken()
    const { signal = AbortSignal.timeout(WAIT_MS), headers, ...rest } = init
    const response = await fetch(path, { ...rest, signal, headers: { ...headers, ...headersOf() } }).catch(error => {
      if (error.name === 'AbortError') throw error
      throw new ApiError(NO_ANSWER, t(error.name === 'TimeoutError' ? 'printer.no_answer' : 'printer.unreachable'))
    })
    if (response.status !== UNAUTHORIZED) return response
    if (typeof shell.account === 'string') return toLogin()
    await askToken(used)
  }
}

/** @param {number} status @param {string} text of a refusal */
export function reasonOf (status, text) {
  try {
    return refusalText(JSON.parse(text), t('printer.error', { status }))
  } catch {
    return text.trim().slice(0, 300) || t('printer.error', { status })
  }
}

async function outcomeOf (response) {
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, reasonOf(response.status, text))
  const isJson = JSON_DOCUMENT.test(response.headers.get('content-type') ?? '')
  const body = isJson && text !== '' ? JSON.parse(text) : text
  if (body?.status === 'error') throw new ApiError(response.status, reasonOf(response.status, text))
  return body
}

/** Path and method of a call. */
function callOf (name, params, wanted) {
  const method = methodOf(name, wanted)
  const given = { ...(takesPrinter(name, method) && printer !== '' && { printer }), ...params }
  const all = adapt(name, given, description.standalone)
  const path = `api/${name}`
  if (method === 'get' || method === 'delete') return { path: addressOf(path, all), init: { method: method.toUpperCase() } }
  return {
    path,
    init: { method: method.toUpperCase(), headers: { 'content-type': 'application/json' }, body: JSON.stringify(all) }
  }
}

/**
 * Calls a route by its name, according to the API's description.
 * @param {string} name such as `pause_printing`
 * @param {Record<string, unknown>} [params]
 * @param {{ method?: string, signal?: AbortSignal }} [options] the method matters where a route has several
 */
export async function call (name, params = {}, { method, signal } = {}) {
  const { path, init } = callOf(name, params, method)
  return await outcomeOf(await request(path, { ...init, ...(signal && { signal }) }))
}

/** A picture or file, as a blob. @param {string} name @param {Record<string, unknown>} [params] */
export async function callBlob (name, params = {}) {
  const { path, init } = callOf(name, params, 'get')
  const response = await request(path, { ...init, signal: new AbortController().signal })
  if (!response.ok) throw new ApiError(response.status, reasonOf(response.status, await response.text()))
  return await response.blob()
}

/** Address of a route that is read by GET, for links. */
export const linkOf = (name, params = {}) => callOf(name, params, 'get').path

/** Loads the description of the API. */
export async function loadDescription () {
  const { paths } = await outcomeOf(await request('api/openapi.json'))
  description = { paths, standalone: isStandalone(paths) }
}
