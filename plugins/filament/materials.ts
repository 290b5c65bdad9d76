import { filamentById } from './catalogue.js'
import { FAMILIES } from './families.data.js'
import { lineOf, type MaterialName } from './lines.js'

/**
 * `same`: the same catalogue entry, or the same product line of any maker; `variant`: the same plastic in another line
 * (matte, silk, filled, fast) or made for support; `unknown`: a name is missing or unknown.
 */
export type MaterialRelation = 'same' | 'variant' | 'other' | 'unknown'

/** Alternative names of families. */
const ALIASES: Readonly<Record<string, string>> = { PAHT: 'PA', NYLON: 'PA' }

/** `PA` of `PA6-CF`, `PLA` of `Support For PLA`; the first of a blend. */
const familyNameOf = (type: string): string | undefined => type.toUpperCase().split(/[^A-Z]+/)
  .map(word => ALIASES[word] ?? word).find(word => Object.hasOwn(FAMILIES, word))

/**
 * `PLA-S`, `Sup.PLA` and `Support For PLA` name one material: it prints like its family, but breaks away from it. PVA,
 * BVOH and HIPS are dissolved instead, and are families of their own.
 */
const SUPPORT = /-S$|^SUP\.|SUPPORT/i

const isSupport = ({ type, label = '', catalogueId = '' }: MaterialName): boolean =>
  SUPPORT.test(type) || SUPPORT.test(filamentById(catalogueId)?.name ?? label)

const spelling = ({ type }: MaterialName): string => type.toUpperCase().replaceAll(/[^A-Z0-9+]/g, '')

const isSameEntry = (one: MaterialName, other: MaterialName): boolean =>
  (one.catalogueId ?? '') !== '' && one.catalogueId === other.catalogueId

/** Whether one material can stand in for another. */
export function relationOf (wanted: MaterialName, found: MaterialName): MaterialRelation {
  if (wanted.type === '' || found.type === '') return 'unknown'
  const [family, other] = [familyNameOf(wanted.type), familyNameOf(found.type)]
  if (family === undefined || other === undefined) return spelling(wanted) === spelling(found) ? 'same' : 'unknown'
  // One entry with two types is contradictory, so the relation is unknown.
  if (family !== other) return isSameEntry(wanted, found) ? 'unknown' : 'other'
  if (isSameEntry(wanted, found)) return 'same'
  if (isSupport(wanted) !== isSupport(found)) return 'variant'
  return isSupport(wanted) || lineOf(wanted) === lineOf(found) ? 'same' : 'variant'
}

/** Relation within one plastic: the same catalogue entry, the same line of another maker, or another line. */
export type Kinship = 'entry' | 'line' | 'variant'

/** @returns undefined for another plastic, and if it is unknown */
export function kinshipOf (wanted: MaterialName, found: MaterialName): Kinship | undefined {
  const relation = relationOf(wanted, found)
  if (relation === 'same') return isSameEntry(wanted, found) ? 'entry' : 'line'
  return relation === 'variant' ? 'variant' : undefined
}
