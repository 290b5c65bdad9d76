/**
 * Reads the fixed headers in a stream of MQTT packets and reports a packet that is longer than allowed before it is
 * buffered. It must be given every chunk.
 */
export function createPacketSizeLimit (limitBytes: number, onTooLong: (bytes: number) => void):
(chunk: Uint8Array) => void {
  let toSkip = 0
  let header = 0 // bytes of the current fixed header seen so far
  let length = 0

  return chunk => {
    let at = 0
    while (at < chunk.length) {
      if (toSkip > 0) {
        const step = Math.min(toSkip, chunk.length - at)
        toSkip -= step
        at += step
        continue
      }
      const byte = chunk[at++] ?? 0
      if (header++ === 0) continue // packet type and flags
      length += (byte & 0x7F) * 128 ** (header - 2)
      if (length > limitBytes) return onTooLong(length)
      if ((byte & 0x80) !== 0 && header < 5) continue
      toSkip = length
      header = 0
      length = 0
    }
  }
}
