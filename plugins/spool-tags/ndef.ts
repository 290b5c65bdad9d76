// NDEF messages of the NFC Forum: records one after the other, on a tag within a block with a type and a length.

/** `mime`: the type is a media type; `uri`: the payload is an address. */
export interface NdefRecord {
  readonly kind: 'mime' | 'uri' | 'other'
  readonly type: string
  readonly payload: Uint8Array
}

/** No tag of these formats has more. */
export const MOST_TAG_BYTES = 2_048
const MOST_RECORDS = 32
const MOST_BLOCKS = 64

/** Bits of the first byte of a record, and kinds of types. */
const FIRST = 0x80
const LAST = 0x40
const CHUNKED = 0x20
const SHORT = 0x10
const HAS_ID = 0x08
const KIND = 0x07
const WELL_KNOWN = 1
const MEDIA = 2

/** Blocks of a tag's memory, and the first byte of its capability container. */
const NOTHING = 0x00
const MESSAGE = 0x03
const END = 0xfe
const CONTAINER = 0xe1
/** Pages 0 to 3 of NTAG chips: serial number, locks, capability container. */
const HEAD_BYTES = 16

const PREFIXES = ['', 'http://www.', 'https://www.', 'http://', 'https://']

const bytesFrom = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** The message in a dump of a tag, with or without what surrounds it; undefined without one. */
export function messageIn (bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === 0 || bytes.length > MOST_TAG_BYTES || bytes[0] === END) return undefined
  if (bytes[0] === CONTAINER) return messageInBlocks(bytes.subarray((bytes[2] ?? 0) === 0 ? 8 : 4))
  if (bytes.length > HEAD_BYTES && bytes[HEAD_BYTES - 4] === CONTAINER) {
    const found = messageInBlocks(bytes.subarray(HEAD_BYTES))
    if (found !== undefined) return found
  }
  return ((bytes[0] as number) & FIRST) === 0 ? messageInBlocks(bytes) : bytes
}

function messageInBlocks (bytes: Uint8Array): Uint8Array | undefined {
  let at = 0
  for (let block = 0; block < MOST_BLOCKS && at < bytes.length; block++) {
    const type = bytes[at++]
    if (type === NOTHING) continue
    if (type === END) return undefined
    let length = bytes[at++] ?? 0
    if (length === 0xff) {
      length = (bytes[at] ?? 0) << 8 | (bytes[at + 1] ?? 0)
      at += 2
    }
    if (type === MESSAGE) return at + length <= bytes.length ? bytes.subarray(at, at + length) : undefined
    at += length
  }
  return undefined
}

/** The records of a message, up to the first that is damaged. */
export function decodeNdef (message: Uint8Array): NdefRecord[] {
  const records: NdefRecord[] = []
  let at = 0
  while (at < message.length && records.length < MOST_RECORDS) {
    const head = message[at] as number
    const isShort = (head & SHORT) !== 0
    const typeLength = message[at + 1] ?? 0
    const payloadLength = isShort ? message[at + 2] ?? 0 : lengthAt(message, at + 2)
    let next = at + (isShort ? 3 : 6)
    const idLength = (head & HAS_ID) === 0 ? 0 : message[next++] ?? 0
    const payloadAt = next + typeLength + idLength
    if ((head & CHUNKED) !== 0 || payloadAt + payloadLength > message.length) break
    const type = textOf(message.subarray(next, next + typeLength))
    records.push(recordOf(head & KIND, type, message.subarray(payloadAt, payloadAt + payloadLength)))
    at = payloadAt + payloadLength
    if ((head & LAST) !== 0) break
  }
  return records
}

const lengthAt = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((length, offset) => length * 256 + (bytes[at + offset] ?? 0), 0)

function recordOf (kind: number, type: string, payload: Uint8Array): NdefRecord {
  if (kind === MEDIA) return { kind: 'mime', type: type.toLowerCase(), payload }
  if (kind !== WELL_KNOWN || type !== 'U' || payload.length === 0) return { kind: 'other', type, payload }
  const prefix = PREFIXES[payload[0] as number] ?? ''
  return { kind: 'uri', type, payload: bytesFrom(prefix + textOf(payload.subarray(1))) }
}

export const mimeRecord = (type: string, payload: Uint8Array): NdefRecord => ({ kind: 'mime', type, payload })
export const uriRecord = (address: string): NdefRecord => ({ kind: 'uri', type: 'U', payload: bytesFrom(address) })
export const addressOf = ({ payload }: NdefRecord): string => textOf(payload)

/** A message that holds the records. */
export function encodeNdef (records: readonly NdefRecord[]): Uint8Array {
  return Buffer.concat(records.map((record, at) => {
    const payload = record.kind === 'uri' ? shortened(record.payload) : record.payload
    const isShort = payload.length < 256
    const ends = (at === 0 ? FIRST : 0) | (at === records.length - 1 ? LAST : 0)
    const head = ends | (isShort ? SHORT : 0) | (record.kind === 'mime' ? MEDIA : WELL_KNOWN)
    const length = Buffer.alloc(isShort ? 1 : 4)
    length.writeUIntBE(payload.length, 0, length.length)
    const type = bytesFrom(record.type)
    return Buffer.concat([Buffer.of(head, type.length), length, type, payload])
  }))
}

/** An address with its beginning as one byte. */
function shortened (address: Uint8Array): Uint8Array {
  const text = textOf(address)
  const fitting = PREFIXES.filter(prefix => text.startsWith(prefix)).sort((one, other) => other.length - one.length)
  const code = PREFIXES.indexOf(fitting[0] ?? '')
  return Buffer.concat([Buffer.of(code), bytesFrom(text.slice(PREFIXES[code]?.length))])
}

/** A message as it is in the memory of a tag. @param container of a tag that begins with one */
export function encodeMemory (message: Uint8Array, container: Uint8Array = new Uint8Array()): Uint8Array {
  const length = message.length < 0xff
    ? Buffer.of(message.length)
    : Buffer.of(0xff, message.length >> 8, message.length & 0xff)
  return Buffer.concat([container, Buffer.of(MESSAGE), length, message, Buffer.of(END)])
}
