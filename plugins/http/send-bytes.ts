import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

const compress = promisify(gzip)

/** Below this size, an ETag and compression are not worthwhile. */
export const LARGE_BYTES = 4096

/** Caches for bytes that are sent more than once, such as the state between two reports. */
const tags = new WeakMap<Buffer, string>()
const gzipped = new WeakMap<Buffer, Promise<Buffer>>()

function memo<T> (known: WeakMap<Buffer, T>, bytes: Buffer, make: (bytes: Buffer) => T): T {
  const found = known.get(bytes)
  if (found !== undefined) return found
  const made = make(bytes)
  known.set(bytes, made)
  return made
}

/** Weak, because it is the same with and without compression. */
const tagOf = (bytes: Buffer): string => `W/"${createHash('sha1').update(bytes).digest('base64url')}"`

/** Matches `W/"a", "b"` against one tag by the weak comparison of RFC 9110. */
function matches (given: string, tag: string): boolean {
  const plain = (text: string) => text.trim().replace(/^W\//, '')
  return given.trim() === '*' || given.split(',').some(one => plain(one) === plain(tag))
}

/** Whether `Accept-Encoding` allows gzip. */
export function takesGzip (accepted: string): boolean {
  const wanted = accepted.toLowerCase().split(',').map(item => item.trim().split(/\s*;\s*/))
  const weightOf = (name: string) => wanted.find(([encoding]) => encoding === name)?.slice(1)
  const weight = weightOf('gzip') ?? weightOf('*')
  return weight !== undefined && !weight.some(part => /^q=0(\.0*)?$/.test(part))
}

const add = (known: unknown, name: string): string => known === undefined ? name : `${String(known)}, ${name}`

export interface SendOptions {
  /** Large ones get an ETag, and callers with the current one get 304. */
  readonly isTagged?: boolean
  /** Shorter ones are sent as they are. @default LARGE_BYTES */
  readonly largeBytes?: number
}

/** Sends bytes; large ones are compressed if the caller accepts it. */
export function sendBytes (
  reply: FastifyReply, bytes: Buffer, { isTagged = false, largeBytes = LARGE_BYTES }: SendOptions = {}
): FastifyReply {
  if (bytes.length < largeBytes) return reply.send(bytes)
  const { 'accept-encoding': accepted, 'if-none-match': given } = reply.request.headers
  reply.header('vary', add(reply.getHeader('vary'), 'accept-encoding'))
  if (isTagged && reply.statusCode === 200) {
    const tag = memo(tags, bytes, tagOf)
    reply.header('etag', tag)
    if (given !== undefined && matches(given, tag)) return reply.code(304).removeHeader('content-type').send()
  }
  if (typeof accepted !== 'string' || !takesGzip(accepted)) return reply.send(bytes)
  void memo(gzipped, bytes, compress as (bytes: Buffer) => Promise<Buffer>)
    .then(small => reply.header('content-encoding', 'gzip').send(small), (error: unknown) => reply.send(error))
  return reply // a handler that returns it waits until it is sent
}
