import { decodeFirst, encode } from 'cborg'
import { MATERIAL_TYPES, OPEN_PRINT_TAG } from './tag-formats.data.js'
import { bytesOfColor, colorOfBytes, tagNumber, tagRange, tagText, textWithin } from './tag-text.js'
import type { DecodedTag, TagContent } from './types.js'

const { meta, main, aux } = OPEN_PRINT_TAG
/** Whose the keys of the general range are. */
const USER = 'prnd'
const HOTTEST_C = 600
const MOST_GRAMS = 1_000_000
const SECTION_BYTES = 512
/** Room for what printers note. */
const AUX_BYTES = 48
const LONGEST_NAME = 31
const FILAMENT = 0

type Section = ReadonlyMap<unknown, unknown>

/** The map at the beginning of a region, and its length; undefined when it is damaged. */
function sectionAt (bytes: Uint8Array): { readonly fields: Section, readonly length: number } | undefined {
  const region = bytes.subarray(0, SECTION_BYTES)
  try {
    const [fields, rest] = decodeFirst(region, { useMaps: true }) as [unknown, Uint8Array]
    return fields instanceof Map ? { fields, length: region.length - rest.length } : undefined
  } catch {
    return undefined
  }
}

const materialOf = (fields: Section): string =>
  MATERIAL_TYPES[tagNumber(fields.get(main.materialType), 0, 1_000) ?? -1] ?? tagText(fields.get(main.abbreviation))

const offsetIn = (section: Section, key: number, payload: Uint8Array): number | undefined => {
  const offset = tagNumber(section.get(key), 1, payload.length - 1)
  return offset !== undefined && Number.isInteger(offset) ? offset : undefined
}

/** @returns undefined for what is no record of OpenPrintTag about filament */
export function decodeOpenPrintTag (payload: Uint8Array): DecodedTag | undefined {
  const head = sectionAt(payload)
  if (head === undefined) return undefined
  const auxAt = offsetIn(head.fields, meta.auxOffset, payload)
  const mainAt = offsetIn(head.fields, meta.mainOffset, payload) ?? head.length
  const fields = sectionAt(payload.subarray(mainAt, auxAt !== undefined && auxAt > mainAt ? auxAt : undefined))?.fields
  if (fields === undefined || fields.get(main.materialClass) !== FILAMENT) return undefined
  const used = auxAt === undefined ? undefined : sectionAt(payload.subarray(auxAt))?.fields
  const heat = (key: number) => tagNumber(fields.get(key), 1, HOTTEST_C)
  const color = fields.get(main.color)
  const instance = fields.get(main.instanceUuid)
  return {
    format: 'openprinttag',
    version: '',
    facts: {
      brand: tagText(fields.get(main.brandName)),
      name: tagText(fields.get(main.materialName)),
      material: materialOf(fields),
      color: color instanceof Uint8Array ? colorOfBytes(color) : '',
      nozzleC: tagRange(heat(main.lowestNozzleC), heat(main.highestNozzleC)),
      bedC: tagRange(heat(main.lowestBedC), heat(main.highestBedC)),
      netGrams: tagNumber(fields.get(main.actualGrams) ?? fields.get(main.nominalGrams), 0, MOST_GRAMS),
      usedGrams: tagNumber(used?.get(aux.consumedGrams), 0, MOST_GRAMS),
      diameterMm: tagNumber(fields.get(main.diameterMm), 0.1, 10) ?? 1.75,
      density: tagNumber(fields.get(main.density), 0.01, 30),
      spool: used?.get(aux.user) === USER ? tagText(used.get(aux.spool)) : '',
      serial: instance instanceof Uint8Array ? Buffer.from(instance.subarray(0, 16)).toString('hex') : ''
    },
    warnings: auxAt !== undefined && used === undefined ? ['what printers noted on it is damaged'] : []
  }
}

/** A map without its length, as the format recommends. */
const mapOf = (entries: readonly (readonly [key: number, value: unknown])[]): Uint8Array => Buffer.concat([
  Buffer.of(0xbf),
  ...entries.filter(([, value]) => value !== undefined && value !== '').flatMap(([key, value]) => [encode(key), encode(value)]),
  Buffer.of(0xff)
])

const single = (value: number | undefined): number | undefined => value === undefined ? undefined : Math.fround(value)

/** Position of a material in the list; that of its base where it has a modifier. */
function materialType (material: string): number | undefined {
  const name = material.trim().toUpperCase()
  const found = [name, name.split(/[\s+-]/)[0]].map(text => MATERIAL_TYPES.indexOf(text ?? '')).find(at => at >= 0)
  return found
}

export function encodeOpenPrintTag (content: TagContent): Uint8Array {
  const { brand, name, material, color, nozzleC, bedC, netGrams, usedGrams, diameterMm, density, spool } = content
  const fields = mapOf([
    [main.materialClass, FILAMENT],
    [main.materialType, materialType(material)],
    [main.materialName, textWithin(name, LONGEST_NAME)],
    [main.brandName, textWithin(brand, LONGEST_NAME)],
    [main.nominalGrams, netGrams],
    [main.color, color === '' ? undefined : bytesOfColor(color)],
    [main.density, single(density)],
    [main.diameterMm, single(diameterMm)],
    [main.lowestNozzleC, nozzleC?.[0]],
    [main.highestNozzleC, nozzleC?.[1]],
    [main.lowestBedC, bedC?.[0]],
    [main.highestBedC, bedC?.[1]],
    [main.abbreviation, textWithin(material, 7)]
  ])
  const noted = mapOf([[aux.consumedGrams, usedGrams], [aux.user, USER], [aux.spool, textWithin(spool, 24)]])
  // The offset of the last region counts the section that says it, which grows with the offset.
  let section = encode(new Map([[meta.auxOffset, fields.length]]))
  for (let tries = 0; tries < 2; tries++) section = encode(new Map([[meta.auxOffset, section.length + fields.length]]))
  const room = Buffer.alloc(Math.max(0, AUX_BYTES - noted.length))
  return Buffer.concat([section, fields, noted, room])
}
