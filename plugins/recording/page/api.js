// Calls of the service, with the cookie of whoever looks at the page.

const ANSWER_MS = 15_000

/** @param {any} error @returns {string} */
export const wording = error => error.name === 'TimeoutError' || error.name === 'TypeError'
  ? 'the service does not answer'
  : error.message

/**
 * @param {string} method @param {string} path below `api`
 * @param {Record<string, unknown>} [params] those that are empty are left out
 * @returns {Promise<any>}
 */
export async function call (method, path, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== '' && value !== undefined)
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery && given.length > 0
    ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    : ''
  const response = await fetch(`api/${path}${query}`, {
    method,
    cache: 'no-store',
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(!inQuery && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(given)) })
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.reason || answer.error || `HTTP ${response.status}`)
  return answer
}
