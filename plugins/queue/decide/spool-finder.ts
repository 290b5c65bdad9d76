import { kinshipOf, labelOf, relationOf, type Kinship, type Palette } from '../../filament/index.js'
import { judgeMapping, wantedFilaments, type FindingCode, type Tray, type WantedFilament } from '../../projects/index.js'
import type { Needs, PlateFacts } from '../types.js'
import { why, type Why } from './reasons.js'

type FilamentNeeds = Pick<Needs, 'material' | 'color' | 'allowLow'>

/** A spool that runs out before the end of the print. */
export interface Low {
  readonly tray: Tray
  readonly material: string
  readonly neededG: number
  readonly leftG: number
}

/** Which tray feeds each filament (index: id - 1; -1 unused), or why none does, computed on demand. */
export type Choice =
  | { readonly mapping: readonly number[], readonly low: readonly Low[], readonly why?: undefined }
  | { readonly mapping?: undefined, readonly why: () => Why }

export interface Spools { readonly trays: readonly Tray[], readonly dual: boolean }

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
interface Verdict {
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

/** Cached for each plate and kind of printer, since neither changes. */
const wanted = new WeakMap<PlateFacts, { single?: readonly WantedFilament[], dual?: readonly WantedFilament[] }>()

function filamentsOf (plate: PlateFacts, dual: boolean): readonly WantedFilament[] {
  const known = wanted.get(plate) ?? {}
  wanted.set(plate, known)
  const kind = dual ? 'dual' : 'single'
  known[kind] ??= wantedFilaments(plate, dual)
  return known[kind]
}

/** More than any colour distance: the exact material is preferred to its product line, and that to a variant. */
const KINSHIP_COST: Readonly<Record<Kinship, number>> = { entry: 0, line: 150, variant: 300 }

/** More than all other costs: a spool that runs out is the last resort. */
const LOW_COST = 1e6

/** Grams by tray. */
const NOTHING: ReadonlyMap<number, number> = new Map()

const gramsOf = ({ grams = 0 }: WantedFilament): number => grams

/** Finds spools for plates, and explains which are missing. */
export function createSpoolFinder ({ difference, nameOf }: Palette) {
  /** By number of filament, then of tray. */
  const judged: Verdict[][] = []
  let pairs = 0
  const filamentNumbers = createNumbers(filamentKey)
  const trayNumbers = createNumbers(trayKey)

  function forget (): void {
    judged.length = pairs = 0
    filamentNumbers.clear()
    trayNumbers.clear()
  }

  function judge (filament: WantedFilament, tray: Tray, dual: boolean): Verdict {
    if (pairs >= MOST_REMEMBERED) forget()
    const own = judged[filamentNumbers.of(filament, dual)] ??= []
    const at = trayNumbers.of(tray, dual)
    const known = own[at]
    if (known) return known
    pairs++
    const verdict = relationOf(filament, tray) === 'other' ? OTHER_PLASTIC : compare(filament, tray, dual)
    own[at] = verdict
    return verdict
  }

  function compare (filament: WantedFilament, tray: Tray, dual: boolean): Verdict {
    const alone = { ...filament, id: 1 }
    const findings = judgeMapping({ filaments: [alone], mapping: [tray.trayId], trays: [tray], dual, difference })
    const distances = filament.color === '' ? [] : tray.colors.map(color => difference(filament.color, color))
    return {
      codes: findings.map(({ code }) => code),
      distance: distances.length === 0 ? undefined : Math.min(...distances),
      kinship: kinshipOf(filament, tray)
    }
  }

  const isMaterial = ({ codes }: Verdict, { material }: FilamentNeeds): boolean =>
    !codes.some(code => BY_MATERIAL[material].includes(code))

  /** An unknown colour matches only a job that takes any colour. */
  function isColor ({ codes, distance }: Verdict, { color: match }: FilamentNeeds, { color }: WantedFilament): boolean {
    if (match === 'any' || color === '') return true
    if (distance === undefined) return false
    return match === 'exact' ? distance <= EXACT_COLOR : !codes.includes('colour_distance')
  }

  const wordsOf = (filament: WantedFilament, { color: match }: FilamentNeeds): string =>
    [labelOf(filament) || 'filament', ...(match === 'any' || filament.color === '' ? [] : [nameOf(filament.color)])].join(' ')

  function whyNot (
    filament: WantedFilament, { trays, dual }: Spools, needs: FilamentNeeds, taken: ReadonlyMap<number, number>
  ): Why {
    const words = wordsOf(filament, needs)
    const material = trays.filter(tray => isMaterial(judge(filament, tray, dual), needs))
    const [fit] = material.filter(tray => isColor(judge(filament, tray, dual), needs, filament))
    if (fit?.isDrying === true) return why('drying', { filament: words, slot: fit.name })
    if (fit) {
      const left = Math.round(Math.max(0, (fit.remainingG ?? 0) - (taken.get(fit.trayId) ?? 0)))
      return why('short', { filament: words, slot: fit.name, needed: Math.ceil(gramsOf(filament)), left })
    }
    const [other] = material
    if (other === undefined || other.color === '') return why('missing', { filament: words })
    const held = `${labelOf(other)} ${nameOf(other.color)}`
    return why('missing_other', { filament: words, slot: other.name, held })
  }

  /** The best spool: with enough filament, nearest in colour, preferably not used by another filament of the plate. */
  function spoolFor (
    filament: WantedFilament, { trays, dual }: Spools, needs: FilamentNeeds, taken: ReadonlyMap<number, number>
  ): { readonly tray: Tray, readonly low: Low | undefined } | undefined {
    let best: { readonly tray: Tray, readonly cost: number, readonly low: Low | undefined } | undefined
    for (const tray of trays) {
      const verdict = judge(filament, tray, dual)
      if (tray.isDrying || !isMaterial(verdict, needs) || !isColor(verdict, needs, filament)) continue
      const drawn = taken.get(tray.trayId) ?? 0
      const isLow = tray.remainingG !== undefined && drawn + gramsOf(filament) > tray.remainingG
      if (isLow && !needs.allowLow) continue
      const leftG = Math.max(0, (tray.remainingG ?? 0) - drawn)
      const low = isLow ? { tray, material: filament.type, neededG: gramsOf(filament), leftG } : undefined
      const shortG = low ? low.neededG - low.leftG : 0
      const cost = (verdict.distance ?? 0) + KINSHIP_COST[verdict.kinship ?? 'variant'] +
        (taken.has(tray.trayId) ? 1_000 : 0) + (low ? LOW_COST + shortG : 0)
      if (best === undefined || cost < best.cost) best = { tray, cost, low }
    }
    return best
  }

  /** Spools for all filaments of a plate. Most plates match no spool, so nothing is allocated before one is found. */
  function choose (plate: PlateFacts, spools: Spools, needs: FilamentNeeds): Choice {
    const filaments = filamentsOf(plate, spools.dual)
    if (filaments.length === 0) return { why: () => why('no_filaments') }
    let taken = NOTHING
    const mapping: number[] = []
    const low: Low[] = []
    for (const filament of filaments) {
      const found = spoolFor(filament, spools, needs, taken)
      if (found === undefined) return { why: () => whyNot(filament, spools, needs, taken) }
      const { trayId } = found.tray
      if (found.low) low.push(found.low)
      if (filaments.length > 1) taken = new Map(taken).set(trayId, (taken.get(trayId) ?? 0) + gramsOf(filament))
      while (mapping.length < filament.id) mapping.push(-1)
      mapping[filament.id - 1] = trayId
    }
    return { mapping, low }
  }

  const couldFeed = (filament: WantedFilament, tray: Tray, dual: boolean, needs: FilamentNeeds): boolean => {
    const verdict = judge(filament, tray, dual)
    return isMaterial(verdict, needs) && isColor(verdict, needs, filament)
  }

  /**
   * Groups printers by their spools once, so that a plate is compared with each kind of spool, not with each printer.
   * @returns a lookup of the printers that may have a spool for the first filament of a plate; no others do
   */
  function sortBySpools<P extends Spools> (printers: readonly P[]):
  (plate: PlateFacts, needs: FilamentNeeds) => ReadonlySet<P> {
    const kinds = new Map<number, { readonly tray: Tray, readonly dual: boolean, readonly printers: P[] }>()
    for (const printer of printers) {
      for (const tray of printer.trays) {
        const number = trayNumbers.of(tray, printer.dual)
        const kind = kinds.get(number) ?? { tray, dual: printer.dual, printers: [] }
        kind.printers.push(printer)
        kinds.set(number, kind)
      }
    }
    return (plate, needs) => {
      const found = new Set<P>()
      for (const { tray, dual, printers } of kinds.values()) {
        const [filament] = filamentsOf(plate, dual)
        if (filament === undefined || !couldFeed(filament, tray, dual, needs)) continue
        for (const printer of printers) found.add(printer)
      }
      return found
    }
  }

  return { choose, sortBySpools }
}

export type SpoolFinder = ReturnType<typeof createSpoolFinder>
