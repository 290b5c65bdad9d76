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

export type Fitting =
  | { readonly fit: Fit, readonly why?: undefined }
  | { readonly fit?: undefined, readonly why: string }

type Files = ReadonlyMap<string, SlicedFile>
/** By the wish of a job. */
type Fits = Map<string, Fitting>

export const NO_FILE = 'its file is not in the library'

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
const basisOf = ({ machine: { name, model, state }, trays, dual, loadedTray }: PrinterView, choose: SpoolFinder) =>
  [choose, trays, name, model, state?.extruders, state?.device.nozzleDiameterMm, dual, loadedTray]

/** From one turn to the next most printers are as they were. */
const remembered = new WeakMap<PrinterView['trays'], { readonly basis: readonly unknown[], readonly fits: Fits }>()

function fitsOf (printer: PrinterView, choose: SpoolFinder): Fits {
  const basis = basisOf(printer, choose)
  const known = remembered.get(printer.trays)
  const isSame = known?.basis.every((value, at) => value === basis[at]) === true
  if (known && isSame && known.fits.size < MOST_WISHES) return known.fits
  const fits: Fits = new Map()
  remembered.set(printer.trays, { basis, fits })
  return fits
}

function fitOf (job: Job, file: SlicedFile, alternative: Alternative, printer: PrinterView, choose: SpoolFinder):
Fitting {
  const plate = plateIn(file, alternative)
  if (!plate) return { why: NO_FILE }
  if (plate.printerModelId === '' && job.needs.printers.length === 0) {
    return { why: 'the file does not say for which model it is sliced: name the printers of the job' }
  }
  const wrong = unfit(plate, printer.machine)
  if (wrong !== undefined) return { why: asPhrase(wrong) }
  const choice = choose(`${file.id}|${plate.number}`, plate, printer, job.needs)
  if (choice.mapping === undefined) return { why: choice.problem }
  const { mapping, low } = choice
  return { fit: { file, plate, mapping, low, changes: filamentChanges(mapping, printer) } }
}

/** Judges jobs by what printers are equipped and loaded with. Jobs with the same wish share their judgement. */
export function createJudge (files: Files, choose: SpoolFinder) {
  const wishes = new Map<Job, string>()
  const own = new Map<PrinterView, Fits>()

  /** Jobs with the same file and the same wish fit the same printers. */
  function wishOf (job: Job): string {
    const known = wishes.get(job)
    if (known !== undefined) return known
    const { material, color, printers, endInHours, allowLow } = job.needs
    const wish = JSON.stringify([job.alternatives, material, color, printers, endInHours, allowLow])
    wishes.set(job, wish)
    return wish
  }

  function judge (job: Job, printer: PrinterView): Fitting {
    let why: string | undefined
    for (const alternative of job.alternatives) {
      const file = files.get(alternative.file)
      const fitting: Fitting = file
        ? fitOf(job, file, alternative, printer, choose)
        : { why: NO_FILE }
      if (fitting.fit) return fitting
      why ??= fitting.why
    }
    return { why: why ?? 'the job has no file' }
  }

  /** The first alternative that the printer can print. */
  function bestFit (job: Job, printer: PrinterView): Fitting {
    const fits = own.get(printer) ?? fitsOf(printer, choose)
    own.set(printer, fits)
    const wish = wishOf(job)
    const known = fits.get(wish)
    if (known) return known
    const fitting = judge(job, printer)
    // A file that is missing may come.
    if (job.alternatives.every(({ file }) => files.has(file))) fits.set(wish, fitting)
    return fitting
  }

  return { wishOf, bestFit }
}
