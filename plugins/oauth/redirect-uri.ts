const MOST_CHARS = 500
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Schemes that run or show something in the browser, or belong to other protocols. */
const FORBIDDEN = new Set(['javascript', 'data', 'vbscript', 'file', 'filesystem', 'blob', 'about', 'view-source', 'ftp', 'ws', 'wss',
  'mailto', 'tel', 'sms', 'intent'])
const OF_AN_APP = /^([a-z][a-z0-9+.-]*):\/\/[^/]|^([a-z][a-z0-9-]*\.[a-z0-9.-]+):\//

/** An address of the machine on which the browser runs, where any program may listen. */
export const isLoopbackRedirect = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname)

/** @returns why codes cannot be sent to an address; undefined for one that is fine */
export function redirectUriProblem (text: string): string | undefined {
  if (text.length > MOST_CHARS || !/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || !URL.canParse(text)) return 'it is not an address'
  const url = new URL(text)
  if (url.username + url.password !== '') return 'it contains a user name'
  if (text.includes('#')) return 'it contains a fragment'
  if (url.protocol === 'https:' || isLoopbackRedirect(url)) return undefined
  if (url.protocol === 'http:') return 'it is not encrypted'
  const [, scheme, domain] = OF_AN_APP.exec(text) ?? []
  const found = scheme ?? domain
  return found === undefined || FORBIDDEN.has(found) ? 'programs cannot be opened by its scheme' : undefined
}

const withoutPort = (url: URL): string => {
  const copy = new URL(url)
  copy.port = ''
  return copy.href
}

/** Exact comparison, except that a program on the same machine listens on a port that the system chose (RFC 8252). */
export function isSameRedirectUri (registered: string, asked: string): boolean {
  if (registered === asked) return true
  if (redirectUriProblem(registered) !== undefined || redirectUriProblem(asked) !== undefined) return false
  const [a, b] = [new URL(registered), new URL(asked)]
  return isLoopbackRedirect(a) && isLoopbackRedirect(b) && withoutPort(a) === withoutPort(b)
}

/** What a person is told of an address: the host, or the scheme of a program on the same device. */
export function redirectHost (text: string): string {
  const { protocol, host } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

/** The address of the client with the answer, in the query (RFC 6749, 9207). */
export function answerTo (redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`
}
