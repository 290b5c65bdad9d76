import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** One entry of an archive. */
export interface Entry { readonly name: string, readonly content: Buffer }

const LOCAL = 0x04034B50
const DESCRIPTOR = 0x08074B50
const CENTRAL = 0x02014B50
const END = 0x06054B50
const STORED = 0
const DEFLATED = 8
/** Flags: sizes follow the data; names are UTF-8. Slicers omit the second one for toolpaths. */
const SIZES_FOLLOW = 0x0008
const NAMES_UTF8 = 0x0800
/** Slicers pad the header of toolpaths with this. */
const PADDING = Buffer.from([0x99, 0x99, 16, 0, ...new Array<number>(16).fill(0)])
/** 2026-01-01, midnight, as DOS counts. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1

interface Packed {
  readonly name: Buffer
  readonly method: number
  readonly data: Buffer
  readonly content: Buffer
  readonly isGcode: boolean
}

function pack ({ name, content }: Entry): Packed {
  const method = name.endsWith('.png') ? STORED : DEFLATED
  const data = method === STORED ? content : deflateRawSync(content)
  return { name: Buffer.from(name), method, data, content, isGcode: name.endsWith('.gcode') }
}

const flagsOf = ({ isGcode }: Packed): number => isGcode ? SIZES_FOLLOW : SIZES_FOLLOW | NAMES_UTF8

type Field = readonly [value: number, bytes: 2 | 4]

function header (signature: number, packed: Packed, fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [, bytes]) => sum + bytes, 0))
  buffer.writeUInt32LE(signature, 0)
  let at = 4
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return Buffer.concat([buffer, packed.name])
}

function localPart (packed: Packed): Buffer {
  const extra = packed.isGcode ? PADDING : Buffer.alloc(0)
  const head = header(LOCAL, packed, [
    [20, 2], [flagsOf(packed), 2], [packed.method, 2], [0, 2], [DATE, 2],
    [0, 4], [0, 4], [0, 4], [packed.name.length, 2], [extra.length, 2]
  ])
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(DESCRIPTOR, 0)
  tail.writeUInt32LE(crc32(packed.content), 4)
  tail.writeUInt32LE(packed.data.length, 8)
  tail.writeUInt32LE(packed.content.length, 12)
  return Buffer.concat([head, extra, packed.data, tail])
}

const centralPart = (packed: Packed, offset: number): Buffer => header(CENTRAL, packed, [
  [20, 2], [20, 2], [flagsOf(packed), 2], [packed.method, 2], [0, 2], [DATE, 2],
  [crc32(packed.content), 4], [packed.data.length, 4], [packed.content.length, 4], [packed.name.length, 2],
  [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]
])

function endRecord (count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/** Writes an archive as slicers do: sizes after the data, pictures uncompressed. */
export function writeZip (entries: readonly Entry[]): Buffer {
  const packed = entries.map(pack)
  const locals = packed.map(localPart)
  let offset = 0
  const centrals = packed.map((item, at) => {
    const part = centralPart(item, offset)
    offset += locals[at]?.length ?? 0
    return part
  })
  const directory = Buffer.concat(centrals)
  return Buffer.concat([...locals, directory, endRecord(packed.length, directory.length, offset)])
}

const LONGEST_COMMENT = 65_535
const MOST_ENTRIES = 10_000

function endOf (archive: Buffer): number {
  for (let at = archive.length - 22; at >= Math.max(0, archive.length - 22 - LONGEST_COMMENT); at--) {
    if (archive.readUInt32LE(at) === END) return at
  }
  throw new RangeError('no archive')
}

type Read = (local: number, method: number, size: number, cap: number) => Buffer

/**
 * Reads the directory of an archive.
 * @returns each entry's content by its name, unpacked on access, up to `cap` bytes
 * @throws RangeError, Error for data that is no archive
 */
export function readZip (archive: Buffer, read: Read = (...entry) => unpack(archive, ...entry)):
ReadonlyMap<string, (cap: number) => Buffer> {
  const end = endOf(archive)
  const count = Math.min(archive.readUInt16LE(end + 10), MOST_ENTRIES)
  const found = new Map<string, (cap: number) => Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let n = 0; n < count; n++) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new RangeError('no directory entry')
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const lengths = [28, 30, 32].map(field => archive.readUInt16LE(at + field))
    const [name = 0, extra = 0, comment = 0] = lengths
    const local = archive.readUInt32LE(at + 42)
    found.set(archive.toString('utf8', at + 46, at + 46 + name), cap => read(local, method, size, cap))
    at += 46 + name + extra + comment
  }
  return found
}

function dataOf (archive: Buffer, local: number, size: number): Buffer {
  if (archive.readUInt32LE(local) !== LOCAL) throw new RangeError('no entry')
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  return archive.subarray(start, start + size)
}

function unpack (archive: Buffer, local: number, method: number, size: number, cap: number): Buffer {
  const data = dataOf(archive, local, size)
  return method === STORED ? data.subarray(0, cap) : inflateRawSync(data, { maxOutputLength: cap })
}

/** Packed bytes that the beginning of an entry is read from. */
const HEAD_BYTES = 32 * 1024

/** The beginning of a packed entry, however long the rest is; undefined when there is no such entry. */
export function readHead (archive: Buffer, name: string): Buffer | undefined {
  return readZip(archive, (local, method, size) => {
    const data = dataOf(archive, local, Math.min(size, HEAD_BYTES))
    return method === STORED ? data : inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH })
  }).get(name)?.(0)
}
