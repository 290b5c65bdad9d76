import { redirectHost, redirectUriProblem } from './redirect-uri.js'

/** What a program says of itself. */
export interface ClientMetadata {
  readonly name: string
  readonly redirectUris: readonly string[]
}

const MOST_NAME = 40
const MOST_REDIRECTS = 10
/** Nothing that is invisible, turns the direction of writing, or breaks a line of a log. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu
/** Signs of addresses: a name that looks like one with a secret would be masked wherever it is shown. */
const OF_ADDRESSES = /[?&=/\\:@#%]/g

/** A name as it can be shown beside others; empty if nothing is left. */
export const cleanName = (name: unknown): string => typeof name !== 'string'
  ? ''
  : [...name.slice(0, 1_000).normalize('NFKC').replaceAll(HIDDEN, ' ').replaceAll(OF_ADDRESSES, ' ').replaceAll(/\s+/gu, ' ').trim()].slice(0, MOST_NAME).join('').trim()

const isText = (value: unknown): value is string => typeof value === 'string'

/** @returns the problem as text for metadata that cannot be used */
export function readClientMetadata (value: unknown): ClientMetadata | string {
  if (typeof value !== 'object' || value === null) return 'the metadata is not an object'
  const { client_name: name, redirect_uris: redirects } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(redirects) || redirects.length === 0) return 'redirect_uris is missing'
  if (redirects.length > MOST_REDIRECTS) return `redirect_uris has more than ${MOST_REDIRECTS} entries`
  if (!redirects.every(isText)) return 'redirect_uris holds something that is no text'
  const uris = redirects as string[]
  for (const uri of uris) {
    const problem = redirectUriProblem(uri)
    if (problem !== undefined) return `a redirect address cannot be used: ${problem}`
  }
  return { name: cleanName(name) || cleanName(redirectHost(uris[0] ?? '')), redirectUris: uris }
}
