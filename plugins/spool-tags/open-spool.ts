import { bytesOfColor, tagColor, tagNumber, tagRange, tagText, textWithin } from './tag-text.js'
import type { DecodedTag, TagContent } from './types.js'

const VERSION = '1.0'
const HOTTEST_C = 600
const LONGEST_NAME = 32

/** @returns undefined for what is no record of OpenSpool */
export function decodeOpenSpool (payload: Uint8Array): DecodedTag | undefined {
  const data = parse(payload)
  if (data === undefined || data.protocol !== 'openspool') return undefined
  const version = tagText(data.version)
  const heat = (name: string) => tagNumber(data[name], 1, HOTTEST_C)
  return {
    format: 'openspool',
    version,
    facts: {
      brand: tagText(data.brand),
      name: tagText(data.subtype),
      material: tagText(data.type),
      color: tagColor(data.color_hex),
      nozzleC: tagRange(heat('min_temp'), heat('max_temp')),
      bedC: tagRange(heat('bed_min_temp'), heat('bed_max_temp')),
      netGrams: undefined,
      usedGrams: undefined,
      diameterMm: undefined,
      density: undefined,
      spool: tagText(typeof data.spool_id === 'number' ? String(data.spool_id) : data.spool_id),
      serial: ''
    },
    warnings: version === '' || version.startsWith('1.') ? [] : [`written for version ${version}, read as ${VERSION}`]
  }
}

function parse (payload: Uint8Array): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(payload).toString('utf8'))
    return typeof data === 'object' && data !== null ? data as Record<string, unknown> : undefined
  } catch {
    return undefined
  }
}

/** Numbers are texts, as in the example of the protocol; readers ignore the id of the spool. */
export function encodeOpenSpool ({ brand, material, color, nozzleC, spool }: TagContent): Uint8Array {
  return Buffer.from(JSON.stringify({
    protocol: 'openspool',
    version: VERSION,
    type: textWithin(material, LONGEST_NAME),
    color_hex: Buffer.from(color === '' ? Buffer.alloc(3, 0xff) : bytesOfColor(color)).toString('hex').toUpperCase(),
    brand: textWithin(brand, LONGEST_NAME) || 'Generic',
    ...nozzleC && { min_temp: String(nozzleC[0]), max_temp: String(nozzleC[1]) },
    spool_id: spool
  }))
}
