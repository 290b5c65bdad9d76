import { wordsOfFailure } from '../../../core/index.js'
import { NotDelivered } from './types.js'

export interface Post {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | FormData | Buffer
  /** Extracts the reason from the body of a failure; by default only the status is reported. */
  readonly reason?: (body: string) => unknown
}

/** Limit of bytes read of an answer. */
const MOST_ANSWER = 2_048
const LONGEST_REASON = 200
const LONGEST_PAUSE_MS = 3_600_000

/**
 * Refusals of the message itself. All others may come from something in between, such as a proxy that starts, or be
 * ended by a person who corrects a token.
 */
const OF_THE_MESSAGE = new Set([400, 413, 415, 422])
/** Refusals of a login, after which some services ban an address that keeps trying. */
const OF_THE_LOGIN = new Set([401, 403, 407])
const LOGIN_PAUSE_MS = 300_000

/**
 * Sends a request to a configured address only: redirects are not followed.
 * @throws NotDelivered
 */
export async function post ({ url, headers = {}, body, reason }: Post, signal: AbortSignal): Promise<void> {
  const { address, login } = withoutLogin(url)
  const response = await fetch(address, {
    method: 'POST', body, headers: { ...login, ...headers }, redirect: 'manual', signal
  }).catch((error: Error) => { throw signal.aborted ? signal.reason : new NotDelivered(wordsOfFailure(error)) })
  const text = await beginningOf(response)
  if (response.ok) return
  const { status } = response
  if (status >= 300 && status < 400) {
    throw new NotDelivered(`it answered ${status} and redirects elsewhere${placeOf(response, url)}; ` +
      'messages are only sent to configured addresses', { final: true })
  }
  const why = reason === undefined ? '' : reasonIn(text, reason)
  throw new NotDelivered(`it answered ${status}${why === '' ? '' : `: ${why}`}`, {
    status,
    final: OF_THE_MESSAGE.has(status),
    retryAfterMs: pauseOf(response.headers.get('retry-after')) ?? (OF_THE_LOGIN.has(status) ? LOGIN_PAUSE_MS : undefined)
  })
}

/** `fetch` refuses addresses with a login. */
function withoutLogin (url: URL): { address: URL, login: Record<string, string> } {
  if (url.username === '' && url.password === '') return { address: url, login: {} }
  const address = new URL(url)
  address.username = address.password = ''
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { address, login: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

async function beginningOf (response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= MOST_ANSWER) break
    }
  } catch {
    // The status has already arrived and is sufficient.
  }
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER).toString()
}

function reasonIn (text: string, find: (body: string) => unknown): string {
  try {
    const found = find(text)
    return typeof found === 'string' ? found.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON) : ''
  } catch {
    return ''
  }
}

/** Only the host, because the rest may be secret. */
function placeOf (response: Response, url: URL): string {
  const location = response.headers.get('location')
  return location !== null && URL.canParse(location, url.href) ? `, to ${new URL(location, url).host}` : ''
}

const pauseOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Math.min(Number(header) * 1_000, LONGEST_PAUSE_MS) : undefined

/** A multipart form; undefined fields are left out. */
export function formOf (fields: Readonly<Record<string, string | undefined>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  return form
}

export const blobOf = ({ bytes, type }: { readonly bytes: Buffer, readonly type: string }): Blob =>
  new Blob([new Uint8Array(bytes)], { type })

/** Truncates a text to a target's limit. */
export const cut = (text: string, most: number): string => text.length <= most ? text : `${text.slice(0, most - 1)}…`

/** Title and text, for targets with a single field. */
export const wholeOf = ({ title, text }: { readonly title: string, readonly text: string }): string =>
  text === '' ? title : `${title}\n${text}`
