import { constants, crc32, createInflateRaw, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'

const inflate = promisify(inflateRaw)
const STORED = 0
const DEFLATED = 8

/** An entry's members of the directory that unpacking needs. */
export interface Packed {
  readonly compressionMethod: number
  readonly crc32: number
}

export const canUnpack = (method: number): boolean => method === STORED || method === DEFLATED

/**
 * The whole content of an entry.
 * @returns undefined when it is larger than `cap`, damaged, or compressed by a method that slicers never use
 */
export async function unpack ({ compressionMethod, crc32: wanted }: Packed, data: Buffer, cap: number):
Promise<Buffer | undefined> {
  const content = await contentOf(compressionMethod, data, cap)
  return content !== undefined && content.length <= cap && crc32(content) === wanted ? content : undefined
}

async function contentOf (method: number, data: Buffer, cap: number): Promise<Buffer | undefined> {
  if (method === STORED) return data
  if (method !== DEFLATED) return undefined
  // The limit applies to the actual output, whatever size was declared.
  return await inflate(data, { maxOutputLength: cap }).catch(() => undefined)
}

/** The first bytes of an entry's content, from the first bytes of its data. */
export async function unpackHead ({ compressionMethod }: Packed, data: Buffer, length: number):
Promise<Buffer | undefined> {
  if (compressionMethod === STORED) return data.subarray(0, length)
  if (compressionMethod !== DEFLATED) return undefined
  const stream = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
  stream.end(data)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= length) break
    }
  } catch {
    if (size === 0) return undefined
  }
  return Buffer.concat(parts).subarray(0, length)
}
