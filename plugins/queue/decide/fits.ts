import { misfitOf } from '../../projects/index.js'
import { warmingS } from '../soak/warming-time.js'
import { soakProblem } from '../soak/limits.js'
import { soakFor, type Warming } from '../soak/usual.js'
import type { Alternative, Job, PlateFacts, SlicedFile, Soak } from '../types.js'
import type { Low, SpoolFinder } from './spool-finder.js'
import { why, type Why } from './reasons.js'
import type { PrinterView } from './types.js'

/** A plate that a printer can print, and how. */
export interface Fit {
  readonly file: SlicedFile
  readonly plate: PlateFacts
  readonly mapping: readonly number[]
  /** How many filaments have to be loaded because they are not in the nozzle. */
  readonly changes: number
  /** Spools that run out during the print, which the job allows. */
  readonly low: readonly Low[]
  /** What is warmed before. */
  readonly soak: Soak | undefined
  /** How long that is expected to take, s. */
  readonly warmingS: number
}

/** Whether a printer can print a job; the reason why not is computed on demand. */
type Fitting =
  | { readonly fit: Fit, readonly why?: undefined }
  | { readonly fit?: undefined, readonly why: () => Why }

/** How long a printer is expected to be busy with it, s. */
export const lastsS = ({ plate: { seconds = 0 }, warmingS }: Pick<Fit, 'plate' | 'warmingS'>): number => seconds + warmingS

type Files = ReadonlyMap<string, SlicedFile>
interface Fits {
  /** By the requirements key of a job; undefined: it does not fit. */
  readonly known: Map<string, Fit | undefined>
  /** Reasons computed so far, by the same key. */
  readonly reasons: Map<string, Why>
}

export const NO_FILE = why('no_file')

/** Cached entries for one printer. */
const MOST_REQUIREMENTS = 5_000

export const plateIn = (file: SlicedFile | undefined, { plate }: Alternative): PlateFacts | undefined =>
  file?.plates.find(({ number }) => number === plate)

function filamentChanges (mapping: readonly number[], { loadedTray }: PrinterView): number {
  const trays = new Set(mapping.filter(tray => tray >= 0))
  return trays.size - Number(loadedTray !== undefined && trays.has(loadedTray))
}

/** Everything fits depend on besides the job's requirements; compared by identity. */
const basisOf = ({ machine: { name, model, state }, trays, dual, loadedTray }: PrinterView, finder: SpoolFinder) =>
  [finder, trays, name, model, state?.extruders, state?.device.nozzleDiameterMm, dual, loadedTray]

/** Cached across turns: most printers do not change from one to the next. */
const remembered = new WeakMap<PrinterView['trays'], { readonly basis: readonly unknown[], readonly fits: Fits }>()

function fitsOf (printer: PrinterView, finder: SpoolFinder): Fits {
  const basis = basisOf(printer, finder)
  const known = remembered.get(printer.trays)
  const isSame = known?.basis.every((value, at) => value === basis[at]) === true
  if (known && isSame && known.fits.known.size < MOST_REQUIREMENTS) return known.fits
  const fits: Fits = { known: new Map(), reasons: new Map() }
  remembered.set(printer.trays, { basis, fits })
  return fits
}

/** What fits depend on besides job, file and printer. */
export interface Judging { readonly finder: SpoolFinder, readonly warming: Warming }

function fitOf (job: Job, file: SlicedFile, alternative: Alternative, printer: PrinterView,
  { finder, warming }: Judging): Fitting {
  const plate = plateIn(file, alternative)
  if (!plate) return { why: () => NO_FILE }
  if (plate.printerModelId === '' && job.needs.printers.length === 0) {
    return { why: () => why('no_model') }
  }
  const misfit = misfitOf(plate, printer.machine)
  if (misfit?.code === 'other_model') return { why: () => why(misfit.code, misfit.values) }
  if (misfit?.code === 'nozzle_rack') return { why: () => why(misfit.code, misfit.values) }
  if (misfit) return { why: () => why(misfit.code, misfit.values) }
  const { model } = printer.machine
  const soak = soakFor(job, plate, warming, model)
  const cold = soak && soakProblem(soak, model)
  if (cold) return { why: () => cold }
  const choice = finder.choose(plate, printer, job.needs)
  if (choice.mapping === undefined) return { why: choice.why }
  const { mapping, low } = choice
  const changes = filamentChanges(mapping, printer)
  return { fit: { file, plate, mapping, low, changes, soak, warmingS: warmingS(soak, model) } }
}

/** Judges which printers fit a job by their equipment and spools. Jobs with the same requirements share the result. */
export function createJudge (files: Files, judging: Judging) {
  const { finder, warming } = judging
  const usual = warming.rows.length === 0 ? null : JSON.stringify(warming)
  const keys = new Map<Job, string>()
  const texts = new Map<string, string>()
  const own = new Map<PrinterView, Fits>()

  /** Jobs with the same files and requirements fit the same printers. */
  function requirementsKey (job: Job): string {
    const known = keys.get(job)
    if (known !== undefined) return known
    const { material, color, printers, endInHours, allowLow, soak } = job.needs
    const warmed = soak === undefined ? usual : soak
    const text = JSON.stringify([job.alternatives, material, color, printers, endInHours, allowLow, warmed])
    const key = texts.get(text) ?? text // an identical string is looked up faster
    texts.set(text, key)
    keys.set(job, key)
    return key
  }

  function judge (job: Job, printer: PrinterView): Fitting {
    let first: (() => Why) | undefined
    for (const alternative of job.alternatives) {
      const file = files.get(alternative.file)
      const fitting: Fitting = file ? fitOf(job, file, alternative, printer, judging) : { why: () => NO_FILE }
      if (fitting.fit) return fitting
      first ??= fitting.why
    }
    return { why: first ?? (() => NO_FILE) }
  }

  function knownOf (printer: PrinterView): Fits {
    const known = own.get(printer) ?? fitsOf(printer, finder)
    own.set(printer, known)
    return known
  }

  /** A result is cached only while all files are known: a missing one may be added. */
  const isLasting = ({ alternatives }: Job): boolean => alternatives.every(({ file }) => files.has(file))

  /** The first alternative that the printer can print. */
  function bestFit (job: Job, printer: PrinterView): Fit | undefined {
    const { known } = knownOf(printer)
    const key = requirementsKey(job)
    const fit = known.get(key)
    if (fit !== undefined || known.has(key)) return fit
    const found = judge(job, printer).fit
    if (isLasting(job)) known.set(key, found)
    return found
  }

  /** Why it can print none of them; undefined when it can. */
  function whyUnfit (job: Job, printer: PrinterView): Why | undefined {
    if (bestFit(job, printer)) return undefined
    const { reasons } = knownOf(printer)
    const key = requirementsKey(job)
    const found = reasons.get(key) ?? judge(job, printer).why?.()
    if (found && isLasting(job)) reasons.set(key, found)
    return found
  }

  /** @param printers all that are ready now @returns a lookup of those that may fit a job; no others do */
  function shortlist (printers: readonly PrinterView[]): (job: Job) => ReadonlySet<PrinterView> {
    const holding = finder.sortBySpools(printers)
    return ({ alternatives, needs }) => new Set(alternatives.flatMap(alternative => {
      const plate = plateIn(files.get(alternative.file), alternative)
      return plate ? [...holding(plate, needs)] : []
    }))
  }

  return { requirementsKey, bestFit, whyUnfit, shortlist }
}

export type Judge = ReturnType<typeof createJudge>
