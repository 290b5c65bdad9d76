import { createReadStream } from 'node:fs'
import type { PrinterSession } from '../../core/index.js'
import type { QueueService } from '../queue/index.js'
import type { ToolpathService } from '../toolpath/index.js'
import type { FoundEngine } from './engines/choose-engine.js'
import { NoSlicedLibrary, NotPrintable } from './errors.js'
import { fileNameOf, makePlate, targetFor, type MadePlate, type MakePlateDeps, type MakePlateOptions } from './make-plate.js'
import type { PlateOrder, SlicingResult } from './schemas.js'

export interface SlicePlateDeps extends MakePlateDeps {
  /** Where plates are stored; undefined if the queue is switched off. */
  readonly library: Pick<QueueService, 'storeFile'> | undefined
  readonly toolpath: Pick<ToolpathService, 'readHost' | 'findings'>
  /** null if no price is known. */
  readonly costOf: (material: string, grams: number) => number | null
}

export interface SlicePlateOptions extends MakePlateOptions { readonly by: string }

/** Per cent of what a person waits for. */
const WRITTEN = 90

/**
 * Makes a plate that printers take of models, reads it move by move, and stores it in the library.
 * @throws the errors of models and slicers, PRN_ERR_NOT_PRINTABLE, those of the library
 */
export async function slicePlate (
  deps: SlicePlateDeps, session: PrinterSession, engine: FoundEngine, order: PlateOrder & { readonly name: string },
  { by, ...options }: SlicePlateOptions
): Promise<SlicingResult> {
  const made = await makePlate(deps, targetFor(session, order.nozzle), engine, order, options)
  options.onStep(WRITTEN, 'checking')
  return await checkedPlate(deps, session, made, { name: order.name, by, signal: options.signal })
}

/** Reads what was written, and stores it if nothing speaks against printing it. */
async function checkedPlate (
  { toolpath, library, costOf }: SlicePlateDeps, session: PrinterSession, { path, slicer }: MadePlate,
  { name, by, signal }: Pick<SlicePlateOptions, 'by' | 'signal'> & { readonly name: string }
): Promise<SlicingResult> {
  if (library === undefined) throw new NoSlicedLibrary()
  const reading = await toolpath.readHost(session, path, 1, { signal })
  const findings = toolpath.findings(session, reading, {})
  const stop = findings.find(({ weight }) => weight === 'stop')
  if (stop) throw new NotPrintable(`${stop.message}. ${stop.remedy}`)
  const file = await library.storeFile(createReadStream(path), fileNameOf(name), by, signal)
  const plate = file.plates[0]
  const layers = reading.plate.layers
  const cost = costOf(plate?.filaments[0]?.type ?? '', plate?.grams ?? 0)
  return {
    file: file.id,
    name: file.name,
    seconds: Math.round(plate?.seconds ?? 0),
    grams: plate?.grams ?? 0,
    layers: layers.length - 1,
    height_mm: layers.at(-1)?.z ?? 0,
    slicer,
    ...cost !== null && { cost },
    findings: [...findings]
  }
}
