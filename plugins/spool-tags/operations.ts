import type { Static } from 'typebox'
import { operation } from '../../core/index.js'
import type { Filaments } from '../filament/index.js'
import { spoolTemperatures, type Spool, type Spools, type SpoolType } from '../spools/index.js'
import type { TagReading } from './decode-tag.js'
import { NoSpoolForTag } from './errors.js'
import { ReadInput, ReadOutput, WriteInput, WriteOutput, type TagView } from './schemas.js'
import type { DecodedTag, TagContent } from './types.js'

const view = ({ format, version, facts, warnings }: DecodedTag): Static<typeof TagView> => {
  const { brand, name, material, color, nozzleC, bedC, netGrams, usedGrams, diameterMm, density, serial } = facts
  return {
    format,
    version,
    brand,
    name,
    material,
    color,
    nozzle_c: [...nozzleC ?? []],
    bed_c: [...bedC ?? []],
    net_g: netGrams ?? null,
    used_g: usedGrams ?? null,
    diameter_mm: diameterMm ?? null,
    density: density ?? null,
    serial,
    warnings: [...warnings]
  }
}

const plain = (number: string): string => number.replaceAll(/[^0-9a-z]/gi, '').toUpperCase()

type Found = Pick<Static<typeof ReadOutput>, 'spool' | 'found_by'>

/** The spool that a tag belongs to. @param chip its serial number */
function spoolOf (spools: Pick<Spools, 'all'>, { tags, addressed }: TagReading, chip: string): Found {
  const all = spools.all()
  const withId = (id: string) => id === '' ? undefined : all.find(spool => spool.id === id)
  const byAddress = withId(addressed)
  if (byAddress) return { spool: byAddress.id, found_by: 'address' }
  const byId = tags.map(({ facts }) => withId(facts.spool)).find(found => found !== undefined)
  if (byId) return { spool: byId.id, found_by: 'id' }
  const numbers = new Set([chip, ...tags.map(({ facts }) => facts.serial)].map(plain).filter(number => number !== ''))
  const byTag = all.find(({ tag }) => numbers.has(plain(tag)))
  return byTag ? { spool: byTag.id, found_by: 'tag' } : { spool: null, found_by: 'none' }
}

export const readTag = operation({
  name: 'spool-tags.read',
  summary: 'What the tag of a spool says, and which spool it belongs to',
  effect: 'read',
  scope: 'daemon',
  input: ReadInput,
  output: ReadOutput,
  async run ({ services: { spools } }, { data, serial = '' }) {
    await spools.known()
    const { decodeTag } = await import('./decode-tag.js') // on first use, as most services read no tags
    const reading = decodeTag(Buffer.from(data, 'base64'))
    return { tags: reading.tags.map(view), types: [...reading.types], ...spoolOf(spools, reading, serial) }
  }
})

async function contentOf (
  spool: Spool, type: SpoolType | undefined, filaments: Pick<Filaments, 'generic' | 'nearestColorName'>
): Promise<TagContent> {
  const { id, name, material, color, netGrams, usedGrams } = spool
  const usual = filaments.generic(material)
  const { nozzleC, bedC } = spoolTemperatures(type, usual)
  return {
    brand: type?.brand ?? '',
    name,
    material,
    color,
    colorName: color === '' ? '' : await filaments.nearestColorName(`${color.slice(1).toUpperCase()}FF`),
    nozzleC,
    bedC: bedC === undefined ? undefined : [bedC, bedC],
    netGrams,
    usedGrams: Math.round(usedGrams * 10) / 10,
    diameterMm: type?.diameter ?? 1.75,
    density: type?.density ?? usual?.density_g_cm3 ?? undefined,
    spool: id,
    serial: ''
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const writeTag = operation({
  name: 'spool-tags.write',
  summary: 'What to write to the tag of a spool',
  effect: 'read',
  scope: 'daemon',
  input: WriteInput,
  output: WriteOutput,
  errors: [NoSpoolForTag],
  async run ({ services: { spools, filaments }, baseUrl }, { spool: id, format = 'openspool' }) {
    await spools.known()
    const spool = spools.all().find(one => one.id === id)
    if (spool === undefined) throw new NoSpoolForTag(id)
    const { encodeTag } = await import('./encode-tag.js')
    const address = `${baseUrl}/spools/${encodeURIComponent(id)}`
    const type = (await spools.inventory.typesBySpool()).get(id)
    const { records, message, memory, fits } = encodeTag(format, await contentOf(spool, type, filaments), address)
    return {
      spool: id,
      format,
      records: records.map(({ kind, type, payload }) => ({ kind: kind === 'mime' ? 'mime' as const : 'url' as const, type, data: base64(payload) })),
      message: base64(message),
      memory: base64(memory),
      memory_bytes: memory.length,
      fits: [...fits]
    }
  }
})
