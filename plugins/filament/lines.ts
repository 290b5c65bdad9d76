import { filamentById } from './catalogue.js'

/** A material as named by a project or a printer. */
export interface MaterialName {
  /** Such as `PLA-CF`; empty if unknown. */
  readonly type: string
  /** Product name, such as `PLA Silk`, if the catalogue does not have it. */
  readonly label?: string | undefined
  /** Catalogue id; empty if unknown. */
  readonly catalogueId?: string | undefined
}

/**
 * Words that distinguish product lines of one plastic, with synonyms side by side. Lines differ in how they look, how
 * fast they print, or what they withstand. Makers' names, `Basic` and `Generic` carry no such meaning.
 */
const SYNONYMS: readonly string[] = [
  'MATTE MATT POLYTERRA', 'SATIN', 'SILK', 'SILK+', 'METAL METALLIC', 'MARBLE', 'SPARKLE GLITTER', 'GALAXY STARLIGHT',
  'GLOW LUMINOUS', 'TRANSLUCENT TRANSPARENT CLEAR', 'WOOD', 'DUAL MULTI MULTICOLOR RAINBOW', 'TOUGH', 'TOUGH+',
  'DYNAMIC', 'LITE', 'PRO', 'ECO', '+ PLUS', 'AERO LW FOAM', 'HF HS SPEED FLOW RAPID HYPER', 'CF RCF CARBON', 'GF GLASS',
  'KEVLAR', 'ESD', 'FR', 'AMS', '95A', '90A', '85A', '6', '66', '11', '12', '612', 'PAHT'
]

const LINES: ReadonlyMap<string, string> = new Map(SYNONYMS.flatMap(row => {
  const [line = '', ...others] = row.split(' ')
  return [line, ...others].map(word => [word, line] as const)
}))

const PLASTIC = /^(PA|PLA|PETG|PET|ABS|ASA|PC|TPU|PP|PE|PPA|PPS)(?=[\d+])/

/** `PA6-CF` becomes `PA`, `6`, `CF`; `PLA+` becomes `PLA`, `+`; `Silk+` stays one word. */
const wordsOf = (text: string): string[] => text.toUpperCase().split(/[^A-Z0-9+]+/)
  .flatMap(word => word.replace(PLASTIC, '$1 ').split(' '))

/** Product name of a material, from the catalogue or its own label. */
const nameOf = ({ label = '', catalogueId = '' }: MaterialName): string => filamentById(catalogueId)?.name ?? label

/** Only TPU has a variant for the AMS; elsewhere the word is a user's note. */
const isForAms = (name: string): boolean => /TPU/i.test(name)

/**
 * The product line of a material, from the catalogue or its own name, normalised so that equal lines are equal texts.
 */
export function lineOf (material: MaterialName): string {
  const name = filamentById(material.catalogueId ?? '')?.name ?? `${material.label ?? ''} ${material.type}`
  const found = wordsOf(name).flatMap(word => LINES.get(word) ?? []).filter(line => line !== 'AMS' || isForAms(name))
  return [...new Set(found)].sort().join(' ')
}

/** Product name without the maker: `PLA Matte` of `Bambu PLA Matte`. */
export function labelOf (material: MaterialName): string {
  const { type } = material
  const name = nameOf(material).replace(/^(Bambu|Generic) /, '')
  const [plastic = ''] = type.toUpperCase().split(/[-\d ]/)
  return name.toUpperCase().includes(plastic) ? name || type : `${type} ${name}`.trim()
}
