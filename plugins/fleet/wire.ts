import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isServiceError, restoreError } from '../../core/index.js'

// How outputs and errors of operations travel: bytes as bytes, a stream after the rest, everything else as the JSON
// that it becomes anyway.

/** Stands for bytes; no printer and no plugin can have a member of this name by accident. */
const BYTES = '\0bytes'
/** Stands for the one stream that may go along. */
const STREAM = '\0stream'
const LENGTH_BYTES = 4

/** What is sent at once, and what follows it. */
export interface Encoded { readonly bytes: Buffer, readonly stream: Readable | undefined }

/** @param redact masks secrets in everything but bytes, before it leaves the machine that knows them */
export function encode (value: unknown, redact: (text: string) => string): Encoded {
  const parts: Uint8Array[] = []
  let stream: Readable | undefined
  const head = JSON.stringify({ value }, function (this: Record<string, unknown>, key: string, shown: unknown) {
    const given = this[key] // what `toJSON` of a Buffer has not seen
    if (given instanceof Readable) {
      stream = given
      return { [STREAM]: true }
    }
    if (!(given instanceof Uint8Array)) return shown
    parts.push(given)
    return { [BYTES]: given.byteLength }
  })
  const text = Buffer.from(redact(head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  return { bytes: Buffer.concat([length, text, ...parts]), stream }
}

/**
 * @param open gives the stream that follows, where there is one
 * @throws Error for what `encode` has not made
 */
export function decode (bytes: Buffer, open: () => Readable): unknown {
  const end = LENGTH_BYTES + bytes.readUInt32BE(0)
  let at = end
  let opened: Readable | undefined
  const { value } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end), (_key, shown: unknown) => {
    if (isStream(shown)) {
      opened ??= open()
      return opened
    }
    const length = lengthOf(shown)
    if (length === undefined) return shown
    const part = bytes.subarray(at, at + length)
    if (part.length !== length) throw new Error('bytes are missing')
    at += length
    return part
  }) as { value: unknown }
  return value
}

const isStream = (value: unknown): boolean => (value as Record<string, unknown> | null | undefined)?.[STREAM] === true

/** What an operation is asked with, as JSON, with the stream that goes along. */
export function withoutStream (input: object): { readonly input: object, readonly stream: Readable | undefined } {
  const found = Object.entries(input).find(([, value]) => value instanceof Readable)
  if (found === undefined) return { input, stream: undefined }
  return { input: { ...input, [found[0]]: { [STREAM]: true } }, stream: found[1] as Readable }
}

/** The same with the stream in its place. */
export function withStream (input: object, open: () => Readable): object {
  const found = Object.entries(input).find(([, value]) => isStream(value))
  return found === undefined ? input : { ...input, [found[0]]: open() }
}

function lengthOf (value: unknown): number | undefined {
  const length = (value as Record<string, unknown> | null | undefined)?.[BYTES]
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : undefined
}

/** An error as it travels. */
export interface Failure {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly statusCode?: number
  readonly extra?: Readonly<Record<string, unknown>>
}

export function failureOf (error: unknown): Failure {
  const { name, message, code, statusCode } = (error instanceof Error ? error : new Error(String(error))) as
    Error & { code?: unknown, statusCode?: unknown }
  return {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(typeof statusCode === 'number' && { statusCode }),
    ...(isServiceError(error) && { extra: error.extra })
  }
}

/** The error again, of its class where it is one of the catalogue. */
export function errorOf ({ name, message, code, statusCode, extra }: Failure): Error {
  if (code?.startsWith('PRN_ERR_') === true) {
    return restoreError(code as `PRN_ERR_${string}`, message, statusCode ?? 500, extra)
  }
  const more = { ...(code !== undefined && { code }), ...(statusCode !== undefined && { statusCode }) }
  return Object.assign(new Error(message), { name }, more)
}

/** Of what kind a message of a call is; each begins with one of these. The last three are those of a stream. */
export const FRAME = { alive: 0, progress: 1, data: 2, end: 3, part: 4, last: 5, taken: 6 } as const

/** Below what a server takes by default, 1 MiB. */
export const CHUNK_BYTES = 128 * 1024
export const MOST_MIB = 32
export const MOST_BYTES = MOST_MIB * 1024 ** 2

/**
 * The end of a call: how many pieces came before and the digest of all of them, or the error. A stream begins after it.
 * It is signed, and so proves the whole answer.
 */
export interface End { readonly pieces: number, readonly digest?: string, readonly error?: Failure }

/** What the signature of an end covers beside it. Each call has an inbox of its own. */
export const endSubject = (reply: string): string => `${reply} end`
/** The same of the last part of a stream, which belongs to an inbox or to the key of a call. */
export const lastSubject = (owner: string): string => `${owner} last`

export const frame = (kind: number, content: Uint8Array | string = ''): Buffer =>
  Buffer.concat([Buffer.from([kind]), typeof content === 'string' ? Buffer.from(content) : content])

/** The same of what is said of a printer that has gone: a report is no farewell. */
export const goneSubject = (subject: string): string => `${subject} gone`

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url')

/** The messages for an answer, but for the end. */
export function piecesOf (bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    pieces.push(frame(FRAME.data, bytes.subarray(at, at + CHUNK_BYTES)))
  }
  return pieces
}
