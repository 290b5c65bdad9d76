import { kinshipOf, labelOf, relationOf, type Kinship, type Palette } from '../../filament/index.js'
import { judgeMapping, wantedFilaments, type FindingCode, type Tray, type WantedFilament } from '../../projects/index.js'
import type { Needs, PlateFacts } from '../types.js'
import { why, type Why } from './reasons.js'

type Wish = Pick<Needs, 'material' | 'color' | 'allowLow'>

/** A spool that runs out before the end of the print. */
export interface Low {
  readonly tray: Tray
  readonly material: string
  readonly neededG: number
  readonly leftG: number
}

/** Which spool feeds each filament (index: id - 1; -1 unused), or why none does, for whoever asks. */
export type Choice =
  | { readonly mapping: readonly number[], readonly low: readonly Low[], readonly why?: undefined }
  | { readonly mapping?: undefined, readonly why: () => Why }

export interface Spools { readonly trays: readonly Tray[], readonly dual: boolean }

/** What rules a spool out whatever the job says: there is nothing in it, it is another plastic, or out of reach. */
const NEVER: readonly FindingCode[] =
  ['filament_unmapped', 'unknown_tray', 'empty_tray', 'material_mismatch', 'nozzle_side_mismatch']
const BY_MATERIAL: Readonly<Record<Needs['material'], readonly FindingCode[]>> = {
  exact: [...NEVER, 'unknown_material', 'external_holder', 'material_variant'],
  near: [...NEVER, 'unknown_material', 'external_holder'],
  any: NEVER
}

/** Of CIEDE2000: printers and slicers round colours. */
const EXACT_COLOR = 2
/** Pairs of filament and spool that were judged; more would be made up by a printer. */
const MOST_REMEMBERED = 100_000

/** What a pair is judged by beside how much is needed, which changes with each print. */
interface Verdict {
  readonly codes: readonly FindingCode[]
  readonly distance: number | undefined
  readonly kinship?: Kinship | undefined
}
/** Of most pairs; nothing else of them matters. */
const OTHER_PLASTIC: Verdict = { codes: ['material_mismatch'], distance: undefined }

const filamentKey = ({ type, catalogueId = '', label = '', color, extruder }: WantedFilament): string =>
  `${type}|${catalogueId}|${label}|${color}|${extruder ?? ''}`
const trayKey = ({ type, label, catalogueId, colors, extruder, isHolder, present }: Tray, dual: boolean): string =>
  [type, label, catalogueId, colors.join(), extruder ?? '', Number(isHolder), Number(present), Number(dual)].join('|')

/** Same texts, same number: a pair of numbers is found faster than a text made of both. */
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

/** A printer's number of nozzles never changes, so neither do these. */
const wanted = new WeakMap<PlateFacts, { single?: readonly WantedFilament[], dual?: readonly WantedFilament[] }>()

function filamentsOf (plate: PlateFacts, dual: boolean): readonly WantedFilament[] {
  const known = wanted.get(plate) ?? {}
  wanted.set(plate, known)
  const kind = dual ? 'dual' : 'single'
  known[kind] ??= wantedFilaments(plate, dual)
  return known[kind]
}

/** More than colours differ: the very material is taken before its line, and that before a variant. */
const KINSHIP_COST: Readonly<Record<Kinship, number>> = { entry: 0, line: 150, variant: 300 }

/** More than any other cost: a spool that runs out is the last that is taken. */
const LOW_COST = 1e6

/** Grams by tray. */
const NOTHING: ReadonlyMap<number, number> = new Map()

const gramsOf = ({ grams = 0 }: WantedFilament): number => grams

/** Finds spools for plates, and says which are missing. */
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

  const isMaterial = ({ codes }: Verdict, { material }: Wish): boolean =>
    !codes.some(code => BY_MATERIAL[material].includes(code))

  /** A colour that nobody knows is only right for those who want any. */
  function isColor ({ codes, distance }: Verdict, { color: wish }: Wish, { color }: WantedFilament): boolean {
    if (wish === 'any' || color === '') return true
    if (distance === undefined) return false
    return wish === 'exact' ? distance <= EXACT_COLOR : !codes.includes('colour_distance')
  }

  const wordsOf = (filament: WantedFilament, { color: wish }: Wish): string =>
    [labelOf(filament) || 'filament', ...(wish === 'any' || filament.color === '' ? [] : [nameOf(filament.color)])].join(' ')

  function whyNot (filament: WantedFilament, { trays, dual }: Spools, wish: Wish, taken: ReadonlyMap<number, number>):
  Why {
    const words = wordsOf(filament, wish)
    const material = trays.filter(tray => isMaterial(judge(filament, tray, dual), wish))
    const [fit] = material.filter(tray => isColor(judge(filament, tray, dual), wish, filament))
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

  /** The spool that fits best: one with enough, nearest in colour, one that nothing else is drawn from first. */
  function spoolFor (filament: WantedFilament, { trays, dual }: Spools, wish: Wish, taken: ReadonlyMap<number, number>):
  { readonly tray: Tray, readonly low: Low | undefined } | undefined {
    let best: { readonly tray: Tray, readonly cost: number, readonly low: Low | undefined } | undefined
    for (const tray of trays) {
      const verdict = judge(filament, tray, dual)
      if (tray.isDrying || !isMaterial(verdict, wish) || !isColor(verdict, wish, filament)) continue
      const drawn = taken.get(tray.trayId) ?? 0
      const isLow = tray.remainingG !== undefined && drawn + gramsOf(filament) > tray.remainingG
      if (isLow && !wish.allowLow) continue
      const leftG = Math.max(0, (tray.remainingG ?? 0) - drawn)
      const low = isLow ? { tray, material: filament.type, neededG: gramsOf(filament), leftG } : undefined
      const shortG = low ? low.neededG - low.leftG : 0
      const cost = (verdict.distance ?? 0) + KINSHIP_COST[verdict.kinship ?? 'variant'] +
        (taken.has(tray.trayId) ? 1_000 : 0) + (low ? LOW_COST + shortG : 0)
      if (best === undefined || cost < best.cost) best = { tray, cost, low }
    }
    return best
  }

  /** Spools for all filaments of a plate. Most plates fit no spool: nothing is made before one is found. */
  function choose (plate: PlateFacts, spools: Spools, wish: Wish): Choice {
    const filaments = filamentsOf(plate, spools.dual)
    if (filaments.length === 0) return { why: () => why('no_filaments') }
    let taken = NOTHING
    const mapping: number[] = []
    const low: Low[] = []
    for (const filament of filaments) {
      const found = spoolFor(filament, spools, wish, taken)
      if (found === undefined) return { why: () => whyNot(filament, spools, wish, taken) }
      const { trayId } = found.tray
      if (found.low) low.push(found.low)
      if (filaments.length > 1) taken = new Map(taken).set(trayId, (taken.get(trayId) ?? 0) + gramsOf(filament))
      while (mapping.length < filament.id) mapping.push(-1)
      mapping[filament.id - 1] = trayId
    }
    return { mapping, low }
  }

  const couldFeed = (filament: WantedFilament, tray: Tray, dual: boolean, wish: Wish): boolean => {
    const verdict = judge(filament, tray, dual)
    return isMaterial(verdict, wish) && isColor(verdict, wish, filament)
  }

  /**
   * Sorts printers by their spools once, so that a plate is compared with each kind of spool and not with each printer.
   * @returns the printers that may have a spool for the first filament of a plate; all others have none
   */
  function sortBySpools<P extends Spools> (printers: readonly P[]): (plate: PlateFacts, wish: Wish) => ReadonlySet<P> {
    const kinds = new Map<number, { readonly tray: Tray, readonly dual: boolean, readonly printers: P[] }>()
    for (const printer of printers) {
      for (const tray of printer.trays) {
        const number = trayNumbers.of(tray, printer.dual)
        const kind = kinds.get(number) ?? { tray, dual: printer.dual, printers: [] }
        kind.printers.push(printer)
        kinds.set(number, kind)
      }
    }
    return (plate, wish) => {
      const found = new Set<P>()
      for (const { tray, dual, printers } of kinds.values()) {
        const [filament] = filamentsOf(plate, dual)
        if (filament === undefined || !couldFeed(filament, tray, dual, wish)) continue
        for (const printer of printers) found.add(printer)
      }
      return found
    }
  }

  return { choose, sortBySpools }
}

export type SpoolFinder = ReturnType<typeof createSpoolFinder>
