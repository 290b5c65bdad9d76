import { unfit } from '../../projects/index.js'
import type { Alternative, Job, PlateFacts, SlicedFile } from '../types.js'
import type { Low, SpoolFinder } from './filaments.js'
import type { PrinterView } from './types.js'

/** A plate that a printer can print, and how. */
export interface Fit {
  readonly file: SlicedFile
  readonly plate: PlateFacts
  readonly mapping: readonly number[]
  /** How often filament has to be loaded that is not in the nozzle. */
  readonly changes: number
  /** Spools that run out meanwhile, which the job allows. */
  readonly low: readonly Low[]
}

/** Whether a printer can print a job; the words are made for those who ask. */
type Fitting =
  | { readonly fit: Fit, readonly why?: undefined }
  | { readonly fit?: undefined, readonly why: () => string }

type Files = ReadonlyMap<string, SlicedFile>
interface Fits {
  /** By the wish of a job; undefined: it does not fit. */
  readonly known: Map<string, Fit | undefined>
  /** Why not, as far as somebody asked. */
  readonly reasons: Map<string, string>
}

export const NO_FILE = 'its file is not in the library'
const NO_MODEL = 'the file does not say for which model it is sliced: name the printers of the job'

/** Wishes that are remembered of one printer. */
const MOST_WISHES = 5_000

export const plateIn = (file: SlicedFile | undefined, { plate }: Alternative): PlateFacts | undefined =>
  file?.plates.find(({ number }) => number === plate)

const asPhrase = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '')

function filamentChanges (mapping: readonly number[], { loadedTray }: PrinterView): number {
  const trays = new Set(mapping.filter(tray => tray >= 0))
  return trays.size - Number(loadedTray !== undefined && trays.has(loadedTray))
}

/** All that fits depend on beside the wish. The same values as long as nothing changes in them. */
const basisOf = ({ machine: { name, model, state }, trays, dual, loadedTray }: PrinterView, finder: SpoolFinder) =>
  [finder, trays, name, model, state?.extruders, state?.device.nozzleDiameterMm, dual, loadedTray]

/** From one turn to the next most printers are as they were. */
const remembered = new WeakMap<PrinterView['trays'], { readonly basis: readonly unknown[], readonly fits: Fits }>()

function fitsOf (printer: PrinterView, finder: SpoolFinder): Fits {
  const basis = basisOf(printer, finder)
  const known = remembered.get(printer.trays)
  const isSame = known?.basis.every((value, at) => value === basis[at]) === true
  if (known && isSame && known.fits.known.size < MOST_WISHES) return known.fits
  const fits: Fits = { known: new Map(), reasons: new Map() }
  remembered.set(printer.trays, { basis, fits })
  return fits
}

function fitOf (job: Job, file: SlicedFile, alternative: Alternative, printer: PrinterView, { choose }: SpoolFinder):
Fitting {
  const plate = plateIn(file, alternative)
  if (!plate) return { why: () => NO_FILE }
  if (plate.printerModelId === '' && job.needs.printers.length === 0) {
    return { why: () => NO_MODEL }
  }
  const wrong = unfit(plate, printer.machine)
  if (wrong !== undefined) return { why: () => asPhrase(wrong) }
  const choice = choose(plate, printer, job.needs)
  if (choice.mapping === undefined) return { why: choice.problem }
  const { mapping, low } = choice
  return { fit: { file, plate, mapping, low, changes: filamentChanges(mapping, printer) } }
}

/** Judges jobs by what printers are equipped and loaded with. Jobs with the same wish share their judgement. */
export function createJudge (files: Files, finder: SpoolFinder) {
  const wishes = new Map<Job, string>()
  const texts = new Map<string, string>()
  const own = new Map<PrinterView, Fits>()

  /** Jobs with the same file and the same wish fit the same printers. */
  function wishOf (job: Job): string {
    const known = wishes.get(job)
    if (known !== undefined) return known
    const { material, color, printers, endInHours, allowLow } = job.needs
    const text = JSON.stringify([job.alternatives, material, color, printers, endInHours, allowLow])
    const wish = texts.get(text) ?? text // the very same text is found faster
    texts.set(text, wish)
    wishes.set(job, wish)
    return wish
  }

  function judge (job: Job, printer: PrinterView): Fitting {
    let why: (() => string) | undefined
    for (const alternative of job.alternatives) {
      const file = files.get(alternative.file)
      const fitting: Fitting = file ? fitOf(job, file, alternative, printer, finder) : { why: () => NO_FILE }
      if (fitting.fit) return fitting
      why ??= fitting.why
    }
    return { why: why ?? (() => 'the job has no file') }
  }

  function knownOf (printer: PrinterView): Fits {
    const known = own.get(printer) ?? fitsOf(printer, finder)
    own.set(printer, known)
    return known
  }

  /** A file that is missing may come. */
  const isLasting = ({ alternatives }: Job): boolean => alternatives.every(({ file }) => files.has(file))

  /** The first alternative that the printer can print. */
  function bestFit (job: Job, printer: PrinterView): Fit | undefined {
    const { known } = knownOf(printer)
    const wish = wishOf(job)
    const fit = known.get(wish)
    if (fit !== undefined || known.has(wish)) return fit
    const found = judge(job, printer).fit
    if (isLasting(job)) known.set(wish, found)
    return found
  }

  /** Why it can print none of them; undefined when it can. */
  function whyUnfit (job: Job, printer: PrinterView): string | undefined {
    if (bestFit(job, printer)) return undefined
    const { reasons } = knownOf(printer)
    const wish = wishOf(job)
    const why = reasons.get(wish) ?? judge(job, printer).why?.()
    if (why !== undefined && isLasting(job)) reasons.set(wish, why)
    return why
  }

  /** @param printers all that may start something now. @returns those of them that may fit a job; no other does */
  function shortlist (printers: readonly PrinterView[]): (job: Job) => ReadonlySet<PrinterView> {
    const holding = finder.sortBySpools(printers)
    return ({ alternatives, needs }) => new Set(alternatives.flatMap(alternative => {
      const plate = plateIn(files.get(alternative.file), alternative)
      return plate ? [...holding(plate, needs)] : []
    }))
  }

  return { wishOf, bestFit, whyUnfit, shortlist }
}
