import { isServiceError, restoreError } from '../../core/index.js'

// How outputs and errors of operations travel: bytes as bytes, everything else as the JSON that it becomes anyway.

/** Stands for bytes; no printer and no plugin can have a member of this name by accident. */
const BYTES = '\0bytes'
const LENGTH_BYTES = 4

/** @param redact masks secrets in everything but bytes, before it leaves the machine that knows them */
export function encode (value: unknown, redact: (text: string) => string): Buffer {
  const parts: Uint8Array[] = []
  const head = JSON.stringify({ value }, function (this: Record<string, unknown>, key: string, shown: unknown) {
    const given = this[key] // what `toJSON` of a Buffer has not seen
    if (!(given instanceof Uint8Array)) return shown
    parts.push(given)
    return { [BYTES]: given.byteLength }
  })
  const text = Buffer.from(redact(head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, ...parts])
}

/** @throws Error for what `encode` has not made */
export function decode (bytes: Buffer): unknown {
  const end = LENGTH_BYTES + bytes.readUInt32BE(0)
  let at = end
  const { value } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end), (_key, shown: unknown) => {
    const length = lengthOf(shown)
    if (length === undefined) return shown
    const part = bytes.subarray(at, at + length)
    if (part.length !== length) throw new Error('bytes are missing')
    at += length
    return part
  }) as { value: unknown }
  return value
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

/** What comes back for a call, each message beginning with one of these. */
export const FRAME = { alive: 0, progress: 1, data: 2, end: 3 } as const

/** Below what a server takes by default, 1 MiB. */
const CHUNK_BYTES = 128 * 1024
export const MOST_MIB = 32
export const MOST_BYTES = MOST_MIB * 1024 ** 2

/** The end of a call: how many pieces came before, or the error. */
export interface End { readonly pieces: number, readonly error?: Failure }

export const frame = (kind: number, content: Uint8Array | string = ''): Buffer =>
  Buffer.concat([Buffer.from([kind]), typeof content === 'string' ? Buffer.from(content) : content])

export const endFrame = (end: End): Buffer => frame(FRAME.end, JSON.stringify(end))

/** The messages for an answer, but for the end. */
export function piecesOf (bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    pieces.push(frame(FRAME.data, bytes.subarray(at, at + CHUNK_BYTES)))
  }
  return pieces
}
