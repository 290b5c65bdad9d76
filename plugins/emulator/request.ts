import { isJson, type Json } from './json-merge.js'

/** One section of a request as received. */
export interface Request {
  readonly section: string
  /** Empty for a section without the key, which only a rename has. */
  readonly command: string
  readonly body: Readonly<Json>
}

/** Indentation of the X1, P2, H2 and X2 families, spaces per level. */
const INDENT = 4

export const encode = (document: Readonly<Json>, indent: boolean): Buffer =>
  Buffer.from(JSON.stringify(document, undefined, indent ? INDENT : undefined))

/** Some senders end a request with NUL or white space, which firmware tolerates. */
const trimmed = (payload: Uint8Array): string =>
  Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8').replace(/[\0\s]+$/, '')

/** No known program nests requests deeper than about six levels. */
const DEEPEST = 32

/** Tokens that determine the depth of JSON: brackets, and whole strings, whose brackets do not count. */
const MARKS = /"(?:[^"\\]|\\.)*"?|[[\]{}]/gs

/** Checked on the text, because walking a value that deep would overflow the stack. */
function isTooDeep (text: string): boolean {
  let depth = 0
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === '{' || mark === '[') depth++
    else if (mark === '}' || mark === ']') depth--
    if (depth > DEEPEST) return true
  }
  return false
}

const parsed = (text: string): unknown => {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const section = ([name, body]: [string, unknown]): Request[] =>
  isJson(body) ? [{ section: name, command: typeof body.command === 'string' ? body.command : '', body }] : []

/** The sections of one message; none when it is not a JSON object. */
export function decode (payload: Uint8Array): Request[] {
  const message = parsed(trimmed(payload))
  return isJson(message) ? Object.entries(message).flatMap(section) : []
}

/** A number from a number or a numeric text, as firmware reads them. */
export const number = (value: unknown): number | undefined => {
  if (typeof value === 'string' && value.trim() !== '') return number(Number(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export const integer = (value: unknown): number | undefined => {
  const parsed = number(value)
  return parsed === undefined ? undefined : Math.trunc(parsed)
}

export const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : undefined
}

export const hex = (word: bigint | number): string => word.toString(16).toUpperCase()
