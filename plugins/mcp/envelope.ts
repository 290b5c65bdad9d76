import { gzipSync } from 'node:zlib'

/** Longer JSON is packed. Source: tool interface, common rule 7. */
export const ENVELOPE_OVER_CHARS = 300

/**
 * Packs a large result as gzip and base64; smaller ones stay as they are.
 * @param json with every secret masked: once it is packed none can be found
 */
export function packed (json: string): string {
  if (json.length <= ENVELOPE_OVER_CHARS) return json
  const original = Buffer.from(json)
  const compressed = gzipSync(original)
  return JSON.stringify({
    compressed: true,
    encoding: 'gzip+base64',
    original_size_bytes: original.length,
    compressed_size_bytes: compressed.length,
    data: compressed.toString('base64')
  })
}
