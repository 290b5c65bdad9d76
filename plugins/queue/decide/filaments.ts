import type { Palette } from '../../filament/index.js'
import { judgeMapping, wantedFilaments, type FindingCode, type Tray, type WantedFilament } from '../../projects/index.js'
import type { Needs, PlateFacts } from '../types.js'

type Wish = Pick<Needs, 'material' | 'color' | 'allowLow'>

/** A spool that runs out before the end of the print. */
export interface Low {
  readonly tray: Tray
  readonly material: string
  readonly neededG: number
  readonly leftG: number
}

/** Which spool feeds each filament (index: id - 1; -1 unused), or why none does. */
export type Choice =
  | { readonly mapping: readonly number[], readonly low: readonly Low[], readonly problem?: undefined }
  | { readonly mapping?: undefined, readonly problem: string }

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

/** Plates that were weighed for one printer. */
const MOST_CHOICES = 5_000

/** What a pair is judged by beside how much is needed, which changes with each print. */
interface Verdict { readonly codes: readonly FindingCode[], readonly distance: number | undefined }

const filamentKey = ({ type, catalogueId = '', color, extruder }: WantedFilament): string =>
  `${type}|${catalogueId}|${color}|${extruder ?? ''}`
const keys = new WeakMap<Tray, string>()

function trayKey (tray: Tray): string {
  const known = keys.get(tray)
  if (known !== undefined) return known
  const { type, label, catalogueId, colors, extruder, isHolder, present } = tray
  const key = `${type}|${label}|${catalogueId}|${colors.join()}|${extruder ?? ''}|${Number(isHolder)}|${Number(present)}`
  keys.set(tray, key)
  return key
}

/** More than any other cost: a spool that runs out is the last that is taken. */
const LOW_COST = 1e6

const gramsOf = ({ grams = 0 }: WantedFilament): number => grams

/** Finds spools for plates, and says which are missing. */
export function createSpoolFinder ({ difference, nameOf }: Palette) {
  const judged = new Map<string, Verdict>()

  function judge (filament: WantedFilament, tray: Tray, dual: boolean): Verdict {
    const key = `${filamentKey(filament)}>${trayKey(tray)}`
    const known = judged.get(key)
    if (known) return known
    const alone = { ...filament, id: 1 }
    const findings = judgeMapping({ filaments: [alone], mapping: [tray.trayId], trays: [tray], dual, difference })
    const distances = filament.color === '' ? [] : tray.colors.map(color => difference(filament.color, color))
    const verdict = {
      codes: findings.map(({ code }) => code),
      distance: distances.length === 0 ? undefined : Math.min(...distances)
    }
    if (judged.size >= MOST_REMEMBERED) judged.clear()
    judged.set(key, verdict)
    return verdict
  }

  const isMaterial = ({ codes }: Verdict, { material }: Wish): boolean =>
    !codes.some(code => BY_MATERIAL[material].includes(code))

  /** A colour that nobody knows is only right for those who want any. */
  function isColor ({ codes, distance }: Verdict, { color: wish }: Wish, { color }: WantedFilament): boolean {
    if (wish === 'any' || color === '') return true
    if (distance === undefined) return false
    return wish === 'exact' ? distance <= EXACT_COLOR : !codes.includes('colour_distance')
  }

  const wordsOf = ({ type, color }: WantedFilament, { color: wish }: Wish): string =>
    [type || 'filament', ...(wish === 'any' || color === '' ? [] : [nameOf(color)])].join(' ')

  function whyNot (filament: WantedFilament, { trays, dual }: Spools, wish: Wish, taken: ReadonlyMap<number, number>):
  string {
    const words = wordsOf(filament, wish)
    const material = trays.filter(tray => isMaterial(judge(filament, tray, dual), wish))
    const [fit] = material.filter(tray => isColor(judge(filament, tray, dual), wish, filament))
    if (fit?.isDrying === true) return `${words} is in ${fit.name}, whose dryer is running`
    if (fit) {
      const left = Math.round(Math.max(0, (fit.remainingG ?? 0) - (taken.get(fit.trayId) ?? 0)))
      return `${words} is short: ${Math.ceil(gramsOf(filament))} g needed, about ${left} g left in ${fit.name}`
    }
    const [other] = material
    if (other === undefined || other.color === '') return `${words} missing`
    return `${words} missing; ${other.name} holds ${other.label} ${nameOf(other.color)}`
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
      const cost = (verdict.distance ?? 0) + (taken.has(tray.trayId) ? 1_000 : 0) + (low ? LOW_COST + shortG : 0)
      if (best === undefined || cost < best.cost) best = { tray, cost, low }
    }
    return best
  }

  /** Trays are the same list as long as nothing changes in them. */
  const chosen = new WeakMap<Spools['trays'], Map<string, Choice>>()

  /** Spools for all filaments of a plate. @param key of the plate's file and number */
  function choose (key: string, plate: PlateFacts, spools: Spools, wish: Wish): Choice {
    const own = chosen.get(spools.trays) ?? new Map<string, Choice>()
    chosen.set(spools.trays, own)
    const full = `${key}|${wish.material}|${wish.color}|${String(wish.allowLow)}`
    const known = own.get(full)
    if (known) return known
    const choice = chooseAnew(plate, spools, wish)
    if (own.size >= MOST_CHOICES) own.clear()
    own.set(full, choice)
    return choice
  }

  function chooseAnew (plate: PlateFacts, spools: Spools, wish: Wish): Choice {
    const filaments = wantedFilaments(plate, spools.dual)
    if (filaments.length === 0) return { problem: 'the file does not say which filaments the plate uses' }
    const taken = new Map<number, number>()
    const low: Low[] = []
    const mapping = new Array<number>(Math.max(...filaments.map(({ id }) => id))).fill(-1)
    for (const filament of filaments) {
      const found = spoolFor(filament, spools, wish, taken)
      if (found === undefined) return { problem: whyNot(filament, spools, wish, taken) }
      const { tray } = found
      if (found.low) low.push(found.low)
      taken.set(tray.trayId, (taken.get(tray.trayId) ?? 0) + gramsOf(filament))
      mapping[filament.id - 1] = tray.trayId
    }
    return { mapping, low }
  }
  return choose
}

export type SpoolFinder = ReturnType<typeof createSpoolFinder>
