import type { UsedByPrinter } from '../inventory-store.js'
import { leftOf, listOf } from '../inventory-views.js'
import type { SpoolRow, TypeRow } from '../tables.js'

export const DAY_MS = 24 * 3_600_000
/** The pace is that of these days. */
export const PACE_DAYS = 28
const NEVER = Number.MAX_SAFE_INTEGER
/** Assumed for a new spool whose weight is unknown or 0, g. */
const USUAL_NET = 1_000

/** Filament that is wanted for prints that have not begun. */
export interface Planned {
  readonly material: string
  /** `#RRGGBB`; empty for any. */
  readonly color: string
  readonly grams: number
}

/** Spools that one can replace by another: of one type, or of one material and colour. */
export interface Supply {
  readonly key: string
  readonly brand: string
  readonly line: string
  readonly material: string
  readonly color: string
  readonly colorName: string
  readonly spools: number
  readonly left: number
  /** Used in the last 28 days, g. */
  readonly used: number
  readonly planned: number
  readonly net: number
  readonly price: number | null
  readonly currency: string
  /** When it runs out, ms since the epoch; undefined: not at this pace. */
  readonly runsOutAt: number | undefined
  /** What is missing within the time looked at, g; 0: enough. */
  readonly missing: number
  readonly buy: number
}

/** Of the amounts on its spools, so many are known. */
type Group = { known: number } & { -readonly [K in 'key' | 'brand' | 'line' | 'material' | 'color' | 'colorName' | 'spools' | 'left' | 'used' | 'planned' | 'net' | 'price' | 'currency']: Supply[K] }

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function groupOf (row: SpoolRow, type: TypeRow | undefined): Group {
  const { material, color } = row
  const none = { known: 0, spools: 0, left: 0, used: 0, planned: 0 }
  if (!type) {
    const key = `${material}/${color}`.toLowerCase()
    return { key, brand: '', line: '', material, color, colorName: '', ...none, net: row.net || USUAL_NET, price: row.price, currency: row.currency }
  }
  return {
    key: type.id,
    brand: type.brand,
    line: type.line,
    material: type.material,
    color: listOf(type.colors)[0] ?? color,
    colorName: type.color_name,
    ...none,
    net: type.net || row.net || USUAL_NET,
    price: type.price ?? row.price,
    currency: type.price === null ? row.currency : type.currency
  }
}

/** The group that a planned print takes from: the same material and colour, of which most is left. */
function takenFrom (groups: readonly Group[], { material, color }: Planned): Group | undefined {
  const fitting = groups.filter(group => sameText(group.material, material) && (color === '' || sameText(group.color, color)))
  return fitting.sort((a, b) => b.left - a.left)[0]
}

export interface SupplyInput {
  /** All spools, also archived ones, whose uses count for the pace. */
  readonly spools: readonly SpoolRow[]
  readonly types: readonly TypeRow[]
  /** Of the last 28 days. */
  readonly used: readonly UsedByPrinter[]
  readonly planned: readonly Planned[]
  readonly now: number
  /** How far to look ahead. */
  readonly days: number
}

function finished ({ known, ...group }: Group, now: number, days: number): Supply {
  if (group.spools > 0 && known === 0) return { ...group, runsOutAt: undefined, missing: 0, buy: 0 } // they may be full
  const perDay = group.used / PACE_DAYS
  const afterQueue = group.left - group.planned
  const atPace = perDay > 0 ? now + Math.max(0, afterQueue) / perDay * DAY_MS : undefined
  const runsOutAt = afterQueue <= 0 && group.planned > 0 ? now : atPace
  const missing = Math.max(0, group.planned + perDay * days - group.left)
  return { ...group, runsOutAt, missing, buy: missing > 0 ? Math.ceil(missing / group.net) : 0 }
}

/** What is left of each filament, how fast it is used, and what is missing; the first to run out comes first. */
export function forecastSupply ({ spools, types, used, planned, now, days }: SupplyInput): Supply[] {
  const typeBy = new Map(types.map(type => [type.id, type]))
  const groups = new Map<string, Group>()
  const groupBy = new Map<string, Group>()
  for (const row of spools) {
    const fresh = groupOf(row, typeBy.get(row.type))
    const group = groups.get(fresh.key) ?? fresh
    groups.set(group.key, group)
    groupBy.set(row.id, group)
    if (row.archived === 1) continue
    group.spools++
    const left = leftOf(row)
    group.left += left ?? 0
    if (left !== null) group.known++
  }
  for (const { spool, grams } of used) {
    const group = groupBy.get(spool)
    if (group) group.used += grams
  }
  for (const wish of planned) {
    const key = `${wish.material}/${wish.color}`.toLowerCase()
    const group = takenFrom([...groups.values()], wish) ?? {
      key, brand: '', line: '', material: wish.material, color: wish.color, colorName: '', known: 0, spools: 0, left: 0, used: 0, planned: 0, net: USUAL_NET, price: null, currency: ''
    }
    groups.set(group.key, group)
    group.planned += wish.grams
  }
  return [...groups.values()].filter(({ spools, used, planned }) => spools > 0 || used > 0 || planned > 0)
    .map(group => finished(group, now, days))
    .sort((a, b) => (a.runsOutAt ?? NEVER) - (b.runsOutAt ?? NEVER) || b.used - a.used || a.key.localeCompare(b.key))
}
