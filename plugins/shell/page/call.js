// Calls of the API, with the user's cookie.

import { lost, reached } from './connection.js'
import { hasText, shell, t } from './shell.js'

const ANSWER_MS = 30_000
const JSON_TYPE = /^application\/json\s*(;|$)/i

export class ApiError extends Error {
  /** @param {number} status 0 without an answer @param {string} reason @param {any} [body] */
  constructor (status, reason, body) {
    super(reason)
    this.status = status
    this.body = body
  }
}

const baseOf = () => document.querySelector('.rail .brand')?.getAttribute('href') ?? './'

/**
 * Why a call was refused. In English that is the sentence of the service, which names more; other pages have words for
 * what people meet most.
 * @param {any} body of the refusal @param {string} otherwise if it says nothing
 */
export function refusalText (body, otherwise) {
  const key = `refusal.${body.error}`
  return shell.language !== 'en' && hasText(key)
    ? t(key)
    : String(body.reason || body.message || body.detail || body.error || otherwise)
}

/** @param {string} text of a refusal @param {number} status */
function failureOf (text, status) {
  try {
    const body = JSON.parse(text)
    return new ApiError(status, refusalText(body, `HTTP ${status}`), body)
  } catch {
    return new ApiError(status, text.trim().slice(0, 300) || `HTTP ${status}`)
  }
}

/**
 * @param {string} method @param {string} path below `api`
 * @param {Record<string, unknown>} [params] those that are undefined are left out
 * @param {{ signal?: AbortSignal, waitMs?: number, fresh?: boolean }} [options]
 *   `fresh`: an answer that the browser has stored counts as none, because the page knows better
 * @returns {Promise<any>} the parsed JSON of the answer, else its text
 * @throws {ApiError}
 */
export async function call (method, path, params = {}, { signal, waitMs = ANSWER_MS, fresh = false } = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery && given.length > 0
    ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    : ''
  const late = AbortSignal.timeout(waitMs)
  const response = await fetch(`${baseOf()}api/${path}${query}`, {
    method,
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, late]) : late,
    ...(!inQuery && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(given)) })
  }).catch(error => {
    if (error.name === 'AbortError') throw error
    lost()
    throw new ApiError(0, t('shell.unreachable'))
  })
  const seen = response.headers.get('x-prnd-seen')
  if (seen !== null && fresh) {
    lost()
    throw new ApiError(0, t('shell.unreachable'))
  }
  reached(path, seen)
  const text = await response.text()
  if (!response.ok) throw failureOf(text, response.status)
  const isJson = JSON_TYPE.test(response.headers.get('content-type') ?? '') && text !== ''
  const body = isJson ? JSON.parse(text) : text
  if (body?.status === 'error') throw failureOf(text, response.status)
  return body
}
