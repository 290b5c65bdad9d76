import { kinshipOf, relationOf, type Kinship, type Palette } from '../../filament/index.js'
import { judgeMapping, type FindingCode, type Tray, type WantedFilament } from '../../projects/index.js'
import type { Needs } from '../types.js'

/** Findings that rule out a spool for every job: it is empty, another plastic, or out of reach. */
const NEVER: readonly FindingCode[] =
  ['filament_unmapped', 'unknown_tray', 'empty_tray', 'material_mismatch', 'nozzle_side_mismatch']
const BY_MATERIAL: Readonly<Record<Needs['material'], readonly FindingCode[]>> = {
  exact: [...NEVER, 'unknown_material', 'external_holder', 'material_variant'],
  near: [...NEVER, 'unknown_material', 'external_holder'],
  any: NEVER
}

/** CIEDE2000 distance: printers and slicers round colours. */
const EXACT_COLOR = 2
/** Cached pairs of filament and spool; only made-up reports of a printer would lead to more. */
const MOST_REMEMBERED = 100_000

/** How a filament and a spool match, apart from the amount, which differs for each print. */
export interface Verdict {
  readonly codes: readonly FindingCode[]
  readonly distance: number | undefined
  readonly kinship?: Kinship | undefined
}
/** The verdict on most pairs; nothing else about them matters. */
const OTHER_PLASTIC: Verdict = { codes: ['material_mismatch'], distance: undefined }

const filamentKey = ({ type, catalogueId = '', label = '', color, extruder }: WantedFilament): string =>
  `${type}|${catalogueId}|${label}|${color}|${extruder ?? ''}`
const trayKey = ({ type, label, catalogueId, colors, extruder, isHolder, present }: Tray, dual: boolean): string =>
  [type, label, catalogueId, colors.join(), extruder ?? '', Number(isHolder), Number(present), Number(dual)].join('|')

/** Numbers equal keys: a pair of numbers is looked up faster than a concatenated text. */
function createNumbers<T extends object> (keyOf: (value: T, dual: boolean) => string) {
  let byText = new Map<string, number>()
  let byValue = new WeakMap<T, number>()
  return {
    of (value: T, dual: boolean): number {
      const known = byValue.get(value)
      if (known !== undefined) return known
      const key = keyOf(value, dual)
      const number = byText.get(key) ?? byText.size
      byText.set(key, number)
      byValue.set(value, number)
      return number
    },
    clear (): void {
      byText = new Map()
      byValue = new WeakMap()
    }
  }
}

type MatchNeeds = Pick<Needs, 'material' | 'color'>

export const isMaterial = ({ codes }: Verdict, { material }: MatchNeeds): boolean =>
  !codes.some(code => BY_MATERIAL[material].includes(code))

/** An unknown colour matches only a job that takes any colour. */
function isColor ({ codes, distance }: Verdict, { color }: WantedFilament, { color: match }: MatchNeeds): boolean {
  if (match === 'any' || color === '') return true
  if (distance === undefined) return false
  return match === 'exact' ? distance <= EXACT_COLOR : !codes.includes('colour_distance')
}

/** The spool may feed the filament of a job, if enough is left on it. */
export const isMatch = (verdict: Verdict, filament: WantedFilament, needs: MatchNeeds): boolean =>
  isMaterial(verdict, needs) && isColor(verdict, filament, needs)

/** Compares filaments with spools, and caches each result: plates and printers have few kinds of either. */
export class SpoolVerdicts {
  readonly #difference: Palette['difference']
  /** By number of filament, then of tray. */
  readonly #known: Verdict[][] = []
  #pairs = 0
  readonly #filamentNumbers = createNumbers(filamentKey)
  readonly #trayNumbers = createNumbers(trayKey)

  constructor ({ difference }: Pick<Palette, 'difference'>) { this.#difference = difference }

  of (filament: WantedFilament, tray: Tray, dual: boolean): Verdict {
    if (this.#pairs >= MOST_REMEMBERED) this.#forget()
    const own = this.#known[this.#filamentNumbers.of(filament, dual)] ??= []
    const at = this.#trayNumbers.of(tray, dual)
    const known = own[at]
    if (known) return known
    this.#pairs++
    const verdict = relationOf(filament, tray) === 'other' ? OTHER_PLASTIC : this.#compare(filament, tray, dual)
    own[at] = verdict
    return verdict
  }

  /** Equal for trays with which every filament gets the same verdict. */
  kindOf (tray: Tray, dual: boolean): number { return this.#trayNumbers.of(tray, dual) }

  #compare (filament: WantedFilament, tray: Tray, dual: boolean): Verdict {
    const difference = this.#difference
    const alone = { ...filament, id: 1 }
    const findings = judgeMapping({ filaments: [alone], mapping: [tray.trayId], trays: [tray], dual, difference })
    const distances = filament.color === '' ? [] : tray.colors.map(color => difference(filament.color, color))
    return {
      codes: findings.map(({ code }) => code),
      distance: distances.length === 0 ? undefined : Math.min(...distances),
      kinship: kinshipOf(filament, tray)
    }
  }

  #forget (): void {
    this.#known.length = this.#pairs = 0
    this.#filamentNumbers.clear()
    this.#trayNumbers.clear()
  }
}
