// Reads the binary format of `plugins/toolpath/track/track-encoder.ts`, in browsers and in Node.

const HEADER_BYTES = 8
const CHUNK_HEADER_BYTES = 28
const VERSION = 1

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
    if (bytes.length - at < CHUNK_HEADER_BYTES) throw new Error('the track is cut off')
    const [layer, count, object, line] = new Uint32Array(bytes.buffer, bytes.byteOffset + at, 4)
    const start = new Float32Array(bytes.buffer, bytes.byteOffset + at + 16, 3)
    const size = CHUNK_HEADER_BYTES + Math.ceil(count * 21 / 4) * 4
    if (at + size > bytes.length) throw new Error('the track is cut off')
    let next = bytes.byteOffset + at + CHUNK_HEADER_BYTES
    const row = Type => {
      const values = new Type(bytes.buffer, next, count)
      next += values.byteLength
      return values
    }
    chunks.push({
      layer,
      object,
      line,
      count,
      start,
      x: row(Float32Array),
      y: row(Float32Array),
      z: row(Float32Array),
      extruded: row(Float32Array),
      speed: row(Uint16Array),
      feature: row(Uint8Array),
      tool: row(Uint8Array),
      flags: row(Uint8Array)
    })
    at += size
  }
  return chunks
}
