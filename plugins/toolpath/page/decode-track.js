// Reads the binary format of `plugins/toolpath/track/track-encoder.ts`, in browsers and in Node.

const HEADER_BYTES = 8
const CHUNK_HEADER_BYTES = 32
const SEGMENT_BYTES = 4 * 4 + 2 + 3
const VERSION = 2

/**
 * The chunk that begins somewhere in a track, and where it ends; undefined if the bytes end before it does. Its arrays
 * are views of the bytes.
 *
 * @param {Uint8Array} bytes aligned to 4 bytes @param {number} at multiple of 4
 * @returns {{ chunk: import('./decode-track.js').TrackChunk, end: number } | undefined}
 */
export function decodeChunk (bytes, at) {
  if (bytes.length - at < CHUNK_HEADER_BYTES) return undefined
  const [layer, count, object, line] = new Uint32Array(bytes.buffer, bytes.byteOffset + at, 4)
  const start = new Float32Array(bytes.buffer, bytes.byteOffset + at + 16, 3)
  const [celsius] = new Float32Array(bytes.buffer, bytes.byteOffset + at + 28, 1)
  const end = at + CHUNK_HEADER_BYTES + Math.ceil(count * SEGMENT_BYTES / 4) * 4
  if (end > bytes.length) return undefined
  let next = bytes.byteOffset + at + CHUNK_HEADER_BYTES
  const row = Type => {
    const values = new Type(bytes.buffer, next, count)
    next += values.byteLength
    return values
  }
  const chunk = {
    layer,
    object,
    line,
    count,
    celsius,
    start,
    x: row(Float32Array),
    y: row(Float32Array),
    z: row(Float32Array),
    extruded: row(Float32Array),
    speed: row(Uint16Array),
    feature: row(Uint8Array),
    tool: row(Uint8Array),
    flags: row(Uint8Array)
  }
  return { chunk, end }
}

/**
 * The chunks of a track. Their arrays are views of the bytes, which are copied only if they are not aligned.
 *
 * @param {ArrayBuffer | Uint8Array} given
 * @returns {import('./decode-track.js').TrackChunk[]}
 */
export function decodeTrack (given) {
  const whole = given instanceof Uint8Array ? given : new Uint8Array(given)
  const bytes = whole.byteOffset % 4 === 0 ? whole : whole.slice()
  if (bytes.length < HEADER_BYTES || String.fromCharCode(...bytes.subarray(0, 4)) !== 'PRTP') throw new Error('this is no track')
  if (bytes[4] !== VERSION) throw new Error(`tracks of version ${bytes[4]} cannot be read`)
  const chunks = []
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const found = decodeChunk(bytes, at)
    if (found === undefined) throw new Error('the track is cut off')
    chunks.push(found.chunk)
    at = found.end
  }
  return chunks
}
