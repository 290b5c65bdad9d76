import { inflateRawSync } from 'node:zlib'

const DIRECTORY = 0x02014b50

/** Entries of a ZIP archive, by its directory. */
export function contentsOf (zip: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>()
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\u0005\u0006') + 16)
  while (zip.readUInt32LE(at) === DIRECTORY) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [nameLength = 0, extra = 0, comment = 0] = [28, 30, 32].map(offset => zip.readUInt16LE(at + offset))
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = zip.subarray(start, start + packed)
    contents.set(name, method === 8 ? inflateRawSync(content) : content)
    at += 46 + nameLength + extra + comment
  }
  return contents
}
