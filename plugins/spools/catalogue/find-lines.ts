import { readFile } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { validationError } from '../../../core/index.js'
import { familyOf } from '../../filament/index.js'
import { Brand, Material, typeFields } from '../inventory-schemas.js'
import { LINES, type LineRow } from './lines.data.js'

const OwnLine = Type.Object({ brand: Brand, material: Material, ...typeFields })
const OwnLines = Type.Array(OwnLine, { maxItems: 20_000 })

/** A line that a type of spools can be made from. */
export type CatalogueLine = Static<typeof OwnLine> & { readonly id: string }

const slug = (...parts: readonly string[]): string => parts.join(' ').toLowerCase().replaceAll('+', '-plus').replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')

/** The cautious values for a plastic of which no drying is known. */
const UNKNOWN = familyOf('')

function lineOf ([brand, line, material, net, empty, min, max, bed, density, id]: LineRow): CatalogueLine {
  const family = familyOf(material.replace('+', ''))
  const isKnown = family !== UNKNOWN
  const key = slug(brand, line)
  return {
    id: key,
    brand,
    line,
    material,
    diameter_mm: 1.75,
    density,
    net_g: net,
    empty_g: empty,
    nozzle_min_c: min,
    nozzle_max_c: max,
    bed_c: bed,
    dry_c: isKnown ? family.dryC.AMS_HT : null,
    dry_hours: isKnown ? family.dryHours.AMS_HT : null,
    catalogue: id ?? key
  }
}

/** The lines that come with the service. */
export const CATALOGUE_LINES: readonly CatalogueLine[] = LINES.map(lineOf)

/** The user's own lines. A missing file is none; of a broken one it is said why. */
export async function readOwnLines (file: string):
Promise<{ readonly lines: readonly CatalogueLine[], readonly problem?: string }> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return { lines: [] }
  try {
    const value: unknown = JSON.parse(text)
    const problem = validationError(OwnLines, value)
    if (problem !== undefined) return { lines: [], problem: `${file}: ${problem}` }
    return { lines: (value as Static<typeof OwnLines>).map(line => ({ ...line, id: slug(line.brand, line.line ?? line.material, line.color_name ?? '') })) }
  } catch (error) {
    return { lines: [], problem: `${file}: ${(error as Error).message}` }
  }
}

/** Lines in which every word of a text is found: the user's own first, then those whose beginning matches. */
export function findLines (lines: readonly CatalogueLine[], text: string, limit: number): CatalogueLine[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const textOf = ({ brand, line = '', material, color_name: color = '' }: CatalogueLine) => `${brand} ${line} ${material} ${color}`.toLowerCase()
  const found = lines.filter(line => words.every(word => textOf(line).includes(word)))
  const begins = (line: CatalogueLine) => Number(words.every(word => ` ${textOf(line)}`.includes(` ${word}`)))
  const ranked = found.map((line, at) => ({ line, at, rank: begins(line) }))
  return ranked.sort((a, b) => b.rank - a.rank || a.at - b.at).slice(0, limit).map(({ line }) => line)
}
