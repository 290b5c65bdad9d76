import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isServiceError, restoreError } from '../../core/index.js'

// Encoding of outputs and errors of operations: bytes stay bytes, a stream follows the rest, everything else is JSON.

/** Marks bytes; a name that no printer or plugin uses by accident. */
const BYTES = '\0bytes'
/** Marks the one stream that a value may contain. */
const STREAM = '\0stream'
const LENGTH_BYTES = 4

/** The encoded value, and the stream that follows it. */
export interface Encoded { readonly bytes: Buffer, readonly stream: Readable | undefined }

/** @param redact masks secrets in everything but bytes before it leaves this machine */
export function encode (value: unknown, redact: (text: string) => string): Encoded {
  const parts: Uint8Array[] = []
  let stream: Readable | undefined
  const head = JSON.stringify({ value }, function (this: Record<string, unknown>, key: string, shown: unknown) {
    const given = this[key] // the value before `toJSON` of Buffer was applied
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
 * @param open returns the stream that follows, if there is one
 * @throws Error for bytes that `encode` has not produced
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

/** Separates the input of an operation from the stream in it. */
export function withoutStream (input: object): { readonly input: object, readonly stream: Readable | undefined } {
  const found = Object.entries(input).find(([, value]) => value instanceof Readable)
  if (found === undefined) return { input, stream: undefined }
  return { input: { ...input, [found[0]]: { [STREAM]: true } }, stream: found[1] as Readable }
}

/** Puts the stream back into its place. */
export function withStream (input: object, open: () => Readable): object {
  const found = Object.entries(input).find(([, value]) => isStream(value))
  return found === undefined ? input : { ...input, [found[0]]: open() }
}

function lengthOf (value: unknown): number | undefined {
  const length = (value as Record<string, unknown> | null | undefined)?.[BYTES]
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : undefined
}

/** A serialised error. */
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

/** Restores an error, with its class if it is in the catalogue. */
export function errorOf ({ name, message, code, statusCode, extra }: Failure): Error {
  if (code?.startsWith('PRN_ERR_') === true) {
    return restoreError(code as `PRN_ERR_${string}`, message, statusCode ?? 500, extra)
  }
  const more = { ...(code !== undefined && { code }), ...(statusCode !== undefined && { statusCode }) }
  return Object.assign(new Error(message), { name }, more)
}

/** First byte of each message of a call: its kind. The last three belong to streams. */
export const FRAME = { alive: 0, progress: 1, data: 2, end: 3, part: 4, last: 5, taken: 6 } as const

/** Below the default limit of a server, 1 MiB. */
export const CHUNK_BYTES = 128 * 1024
export const MOST_MIB = 32
export const MOST_BYTES = MOST_MIB * 1024 ** 2

/**
 * The end of a call: the number and digest of the pieces before it, or the error. A stream begins after it. It is
 * signed and so authenticates the whole answer.
 */
export interface End { readonly pieces: number, readonly digest?: string, readonly error?: Failure }

/** Subject in the signature of an end. Each call has its own inbox. */
export const endSubject = (reply: string): string => `${reply} end`
/** Subject in the signature of a stream's last part, which belongs to an inbox or to the key of a call. */
export const lastSubject = (owner: string): string => `${owner} last`

export const frame = (kind: number, content: Uint8Array | string = ''): Buffer =>
  Buffer.concat([Buffer.from([kind]), typeof content === 'string' ? Buffer.from(content) : content])

/** Subject in the signature of a removal, so that a state cannot be replayed as one. */
export const goneSubject = (subject: string): string => `${subject} gone`

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url')

/** The messages of an answer, without the end. */
export function piecesOf (bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    pieces.push(frame(FRAME.data, bytes.subarray(at, at + CHUNK_BYTES)))
  }
  return pieces
}
