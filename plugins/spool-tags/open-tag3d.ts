import { OPEN_TAG3D, OPEN_TAG3D_BYTES, type TagField } from './tag-formats.data.js'
import { bytesOfColor, colorOfBytes, tagRange, tagText, textWithin } from './tag-text.js'
import type { DecodedTag, TagContent } from './types.js'

const VERSION = 1
const LARGEST_MINOR = 1.0005
const NO_COLOR = 0

const isIn = (payload: Uint8Array, { start, length }: TagField): boolean => payload.length >= start + length

const textAt = (payload: Uint8Array, field: TagField): string => isIn(payload, field)
  ? tagText(Buffer.from(payload.subarray(field.start, field.start + field.length)).toString('utf8').split('\0')[0])
  : ''

/** Zero is no value. */
function numberAt (payload: Uint8Array, field: TagField): number | undefined {
  if (!isIn(payload, field)) return undefined
  const value = Buffer.from(payload).readUIntBE(field.start, field.length)
  return value === 0 ? undefined : Math.round(value * (field.scale ?? 1) * 1000) / 1000
}

/** @returns undefined for what is no record of OpenTag3D that this version can read */
export function decodeOpenTag3d (payload: Uint8Array): DecodedTag | undefined {
  const version = numberAt(payload, OPEN_TAG3D.version)
  if (version === undefined || payload.length <= OPEN_TAG3D.density.start || version >= VERSION + 1) return undefined
  const text = (field: TagField) => textAt(payload, field)
  const number = (field: TagField) => numberAt(payload, field)
  const alpha = payload[OPEN_TAG3D.color.start + 3]
  const serial = text(OPEN_TAG3D.serial)
  const [nozzle, bed] = [number(OPEN_TAG3D.nozzleC), number(OPEN_TAG3D.bedC)]
  return {
    format: 'opentag3d',
    version: version.toFixed(3),
    facts: {
      brand: text(OPEN_TAG3D.manufacturer),
      name: text(OPEN_TAG3D.colorName),
      material: [text(OPEN_TAG3D.material), text(OPEN_TAG3D.modifier)].filter(part => part !== '').join('-'),
      color: alpha === NO_COLOR ? '' : colorOfBytes(payload.subarray(OPEN_TAG3D.color.start, OPEN_TAG3D.color.start + 3)),
      nozzleC: tagRange(number(OPEN_TAG3D.lowestNozzleC) ?? nozzle, number(OPEN_TAG3D.highestNozzleC) ?? nozzle),
      bedC: tagRange(number(OPEN_TAG3D.lowestBedC) ?? bed, number(OPEN_TAG3D.highestBedC) ?? bed),
      netGrams: number(OPEN_TAG3D.measuredGrams) ?? number(OPEN_TAG3D.netGrams),
      usedGrams: undefined,
      diameterMm: number(OPEN_TAG3D.diameterMm),
      density: number(OPEN_TAG3D.density),
      spool: serial,
      serial
    },
    warnings: version > LARGEST_MINOR
      ? [`written for version ${version.toFixed(3)}, read as 1.000`]
      : version < VERSION ? [`written for version ${version.toFixed(3)}, before the first release: fields may be elsewhere`] : []
  }
}

/** With the extended fields, as the serial number is one of them. */
export function encodeOpenTag3d (content: TagContent): Uint8Array {
  const bytes = Buffer.alloc(OPEN_TAG3D_BYTES.extended)
  const write = ({ start, length, scale = 1 }: TagField, value: number | undefined) => {
    if (value === undefined) return
    bytes.writeUIntBE(Math.min(256 ** length - 1, Math.max(0, Math.round(value / scale))), start, length)
  }
  const writeText = ({ start, length }: TagField, value: string) => { bytes.write(textWithin(value, length), start, 'utf8') }
  const [material = '', ...modifier] = content.material.trim().split(/[\s-]+/)
  const middleOf = ([low, high]: readonly [number, number]) => (low + high) / 2
  write(OPEN_TAG3D.version, VERSION)
  writeText(OPEN_TAG3D.material, material)
  writeText(OPEN_TAG3D.modifier, modifier.join(' '))
  writeText(OPEN_TAG3D.manufacturer, content.brand || 'Generic')
  writeText(OPEN_TAG3D.colorName, content.colorName)
  if (content.color !== '') bytes.set([...bytesOfColor(content.color), 0xff], OPEN_TAG3D.color.start)
  write(OPEN_TAG3D.diameterMm, content.diameterMm ?? 1.75)
  write(OPEN_TAG3D.netGrams, content.netGrams)
  write(OPEN_TAG3D.nozzleC, content.nozzleC && middleOf(content.nozzleC))
  write(OPEN_TAG3D.bedC, content.bedC && middleOf(content.bedC))
  write(OPEN_TAG3D.density, content.density)
  writeText(OPEN_TAG3D.serial, content.spool)
  write(OPEN_TAG3D.lowestNozzleC, content.nozzleC?.[0])
  write(OPEN_TAG3D.highestNozzleC, content.nozzleC?.[1])
  return bytes
}
