import { labelOf, type Kinship, type Palette } from '../../filament/index.js'
import { wantedFilaments, type Tray, type WantedFilament } from '../../projects/index.js'
import type { Needs, PlateFacts } from '../types.js'
import { why, type Why } from './reasons.js'
import { isMatch, isMaterial, SpoolVerdicts, type Verdict } from './spool-verdicts.js'

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

interface Found {
  readonly tray: Tray
  /** The lowest is the best. */
  readonly cost: number
  readonly low: Low | undefined
}

/** Grams of each tray that other filaments of the plate take. */
type Taken = ReadonlyMap<number, number>

/** The spool for a filament that it matches; undefined when it runs out and the job does not allow that. */
function weigh (
  filament: WantedFilament, tray: Tray, { distance, kinship }: Verdict, { allowLow }: FilamentNeeds, taken: Taken
): Found | undefined {
  const drawn = taken.get(tray.trayId) ?? 0
  const isLow = tray.remainingG !== undefined && drawn + gramsOf(filament) > tray.remainingG
  if (isLow && !allowLow) return undefined
  const leftG = Math.max(0, (tray.remainingG ?? 0) - drawn)
  const low = isLow ? { tray, material: filament.type, neededG: gramsOf(filament), leftG } : undefined
  const shortG = low ? low.neededG - low.leftG : 0
  const cost = (distance ?? 0) + KINSHIP_COST[kinship ?? 'variant'] +
    (taken.has(tray.trayId) ? 1_000 : 0) + (low ? LOW_COST + shortG : 0)
  return { tray, cost, low }
}

/** Finds spools for plates, and explains which are missing. */
export class SpoolFinder {
  readonly #nameOf: Palette['nameOf']
  readonly #verdicts: SpoolVerdicts

  constructor (palette: Palette) {
    this.#nameOf = palette.nameOf
    this.#verdicts = new SpoolVerdicts(palette)
  }

  /** Spools for all filaments of a plate. Most plates match no spool, so nothing is allocated before one is found. */
  choose (plate: PlateFacts, spools: Spools, needs: FilamentNeeds): Choice {
    const filaments = filamentsOf(plate, spools.dual)
    if (filaments.length === 0) return { why: () => why('no_filaments') }
    let taken: Taken = NOTHING
    const mapping: number[] = []
    const low: Low[] = []
    for (const filament of filaments) {
      const found = this.#spoolFor(filament, spools, needs, taken)
      if (found === undefined) return { why: () => this.#whyNot(filament, spools, needs, taken) }
      const { trayId } = found.tray
      if (found.low) low.push(found.low)
      if (filaments.length > 1) taken = new Map(taken).set(trayId, (taken.get(trayId) ?? 0) + gramsOf(filament))
      while (mapping.length < filament.id) mapping.push(-1)
      mapping[filament.id - 1] = trayId
    }
    return { mapping, low }
  }

  /**
   * Groups printers by their spools once, so that a plate is compared with each kind of spool, not with each printer.
   * @returns a lookup of the printers that may have a spool for the first filament of a plate; no others do
   */
  sortBySpools<P extends Spools> (printers: readonly P[]): (plate: PlateFacts, needs: FilamentNeeds) => ReadonlySet<P> {
    const kinds = this.#kindsOf(printers)
    return (plate, needs) => {
      const found = new Set<P>()
      for (const { tray, dual, printers } of kinds.values()) {
        const [filament] = filamentsOf(plate, dual)
        if (filament === undefined || !isMatch(this.#verdicts.of(filament, tray, dual), filament, needs)) continue
        for (const printer of printers) found.add(printer)
      }
      return found
    }
  }

  /** Printers by the kinds of their spools, each with an example. */
  #kindsOf<P extends Spools> (printers: readonly P[]) {
    const kinds = new Map<number, { readonly tray: Tray, readonly dual: boolean, readonly printers: P[] }>()
    for (const printer of printers) {
      for (const tray of printer.trays) {
        const number = this.#verdicts.kindOf(tray, printer.dual)
        const kind = kinds.get(number) ?? { tray, dual: printer.dual, printers: [] }
        kind.printers.push(printer)
        kinds.set(number, kind)
      }
    }
    return kinds
  }

  /** The best spool: with enough filament, nearest in colour, preferably not used by another filament of the plate. */
  #spoolFor (filament: WantedFilament, { trays, dual }: Spools, needs: FilamentNeeds, taken: Taken): Found | undefined {
    let best: Found | undefined
    for (const tray of trays) {
      const verdict = this.#verdicts.of(filament, tray, dual)
      if (tray.isDrying || !isMatch(verdict, filament, needs)) continue
      const found = weigh(filament, tray, verdict, needs, taken)
      if (found && (best === undefined || found.cost < best.cost)) best = found
    }
    return best
  }

  #whyNot (filament: WantedFilament, { trays, dual }: Spools, needs: FilamentNeeds, taken: Taken): Why {
    const words = this.#wordsOf(filament, needs)
    const material = trays.filter(tray => isMaterial(this.#verdicts.of(filament, tray, dual), needs))
    const [fit] = material.filter(tray => isMatch(this.#verdicts.of(filament, tray, dual), filament, needs))
    if (fit?.isDrying === true) return why('drying', { filament: words, slot: fit.name })
    if (fit) {
      const left = Math.round(Math.max(0, (fit.remainingG ?? 0) - (taken.get(fit.trayId) ?? 0)))
      return why('short', { filament: words, slot: fit.name, needed: Math.ceil(gramsOf(filament)), left })
    }
    const [other] = material
    if (other === undefined || other.color === '') return why('missing', { filament: words })
    const held = `${labelOf(other)} ${this.#nameOf(other.color)}`
    return why('missing_other', { filament: words, slot: other.name, held })
  }

  #wordsOf (filament: WantedFilament, { color: match }: FilamentNeeds): string {
    const isAnyColor = match === 'any' || filament.color === ''
    return [labelOf(filament) || 'filament', ...(isAnyColor ? [] : [this.#nameOf(filament.color)])].join(' ')
  }
}
