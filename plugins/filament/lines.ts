import { filamentById } from './catalogue.js'

/** A material as a project or a printer names it. */
export interface MaterialName {
  /** Such as `PLA-CF`; empty when it is not known. */
  readonly type: string
  /** What it is sold as, such as `PLA Silk`, where the catalogue does not know it. */
  readonly label?: string | undefined
  /** Of the catalogue; empty when it is not known. */
  readonly catalogueId?: string | undefined
}

/**
 * Words by which makers tell the lines of one plastic apart, those that mean the same beside each other. Two
 * lines differ in how they look, how fast they print, or what they bear. Names of makers, `Basic` and `Generic` say
 * nothing of it.
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

/** `PA6-CF` in `PA`, `6`, `CF`; `PLA+` in `PLA`, `+`; `Silk+` stays one word. */
const wordsOf = (text: string): string[] => text.toUpperCase().split(/[^A-Z0-9+]+/)
  .flatMap(word => word.replace(PLASTIC, '$1 ').split(' '))

/** What a material is sold as, by the catalogue or by its own label. */
const nameOf = ({ label = '', catalogueId = '' }: MaterialName): string => filamentById(catalogueId)?.name ?? label

/** Only TPU is sold as one for the AMS; elsewhere that is a note of a user. */
const isForAms = (name: string): boolean => /TPU/i.test(name)

/** What the catalogue says of a material's line, else its own name. Two of one line are written alike. */
export function lineOf (material: MaterialName): string {
  const name = filamentById(material.catalogueId ?? '')?.name ?? `${material.label ?? ''} ${material.type}`
  const found = wordsOf(name).flatMap(word => LINES.get(word) ?? []).filter(line => line !== 'AMS' || isForAms(name))
  return [...new Set(found)].sort().join(' ')
}

/** What a material is sold as, without its maker: `PLA Matte` of `Bambu PLA Matte`. */
export function labelOf (material: MaterialName): string {
  const { type } = material
  const name = nameOf(material).replace(/^(Bambu|Generic) /, '')
  const [plastic = ''] = type.toUpperCase().split(/[-\d ]/)
  return name.toUpperCase().includes(plastic) ? name || type : `${type} ${name}`.trim()
}
