// Tags by the phone's own reader: Web NFC, which Chrome on Android has on encrypted pages.

export const hasNfc = () => 'NDEFReader' in globalThis && globalThis.isSecureContext

const open = () => new /** @type {any} */ (globalThis).NDEFReader()

/** @param {string} text base64 */
export const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

/** @param {Uint8Array} bytes */
export const base64Of = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))

/**
 * Writes records to the next tag that is held to the phone.
 * @param {readonly any[]} records @param {AbortSignal} signal
 */
export const writeTag = (records, signal) => open().write({
  records: records.map(({ kind, type, data }) => kind === 'mime'
    ? { recordType: 'mime', mediaType: type, data: bytesOf(data) }
    : { recordType: 'url', data: new TextDecoder().decode(bytesOf(data)) })
}, { signal })

/**
 * Reads the next tag that is held to the phone.
 * @param {AbortSignal} signal @returns {Promise<{ data: string, serial: string }>} as the service takes it
 */
export async function readTag (signal) {
  const reader = open()
  const first = new Promise((resolve, reject) => {
    reader.onreading = resolve
    reader.onreadingerror = () => reject(new Error('NFC'))
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  await reader.scan({ signal })
  const { message, serialNumber } = /** @type {any} */ (await first)
  return { data: base64Of(messageOf(message.records)), serial: serialNumber ?? '' }
}

/** The records as the bytes of a message: the browser has taken it apart. @param {readonly any[]} records */
export function messageOf (records) {
  const known = records.filter(({ recordType }) => recordType === 'mime' || recordType === 'url' || recordType === 'absolute-url')
  return Uint8Array.from(known.flatMap(({ recordType, mediaType, data }, at) => {
    const payload = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    const isMime = recordType === 'mime'
    const type = new TextEncoder().encode(isMime ? mediaType : 'U')
    const body = isMime ? [...payload] : [0, ...payload]
    const head = (at === 0 ? 0x80 : 0) | (at === known.length - 1 ? 0x40 : 0) | (isMime ? 2 : 1)
    return [head, type.length, 0, 0, body.length >> 8, body.length & 0xff, ...type, ...body]
  }))
}
