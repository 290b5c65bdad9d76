import { modelByName, type Extruder, type ModelInfo, type PrinterSession } from '../../../core/index.js'
import { extruderOf, isDual } from '../read/external.js'
import type { Plate } from '../read/project.js'
import type { WantedFilament } from './judge.js'

/** The machine and filaments that a plate was sliced for. */
export type SlicedFor =
  Pick<Plate, 'printerModelId' | 'filaments' | 'filamentExtruders' | 'physicalExtruders' | 'nozzleDiametersMm'>
/** The printer, with its state if known. */
export type Machine = Pick<PrinterSession, 'name' | 'model' | 'state'>

/** Models that accept each other's toolpaths. */
const KIN: readonly (readonly string[])[] = [['X1C', 'X1', 'X1E', 'P1P', 'P1S'], ['H2D', 'H2D_PRO']]

const isKin = (a: string, b: string): boolean => a === b || KIN.some(group => group.includes(a) && group.includes(b))

/** Cached, because a queue compares one plate with many printers. */
const madeFor = new WeakMap<SlicedFor, ModelInfo | undefined>()

function modelOf (plate: SlicedFor): ModelInfo | undefined {
  if (madeFor.has(plate)) return madeFor.get(plate)
  const made = plate.printerModelId === '' ? undefined : modelByName(plate.printerModelId)
  madeFor.set(plate, made)
  return made
}

/** Models that accept a plate's toolpaths, first the one it was sliced for; empty when unknown. */
export function modelsFor (plate: SlicedFor): string[] {
  const made = modelOf(plate)?.model
  if (made === undefined) return []
  return [made, ...KIN.find(group => group.includes(made))?.filter(model => model !== made) ?? []]
}

/** Why a plate does not fit a printer, independent of language. */
export type Misfit =
  | { readonly code: 'other_model', readonly values: Readonly<Record<'made' | 'printer' | 'model', string>> }
  | { readonly code: 'nozzle_rack', readonly values: Readonly<Record<'printer' | 'model', string>> }
  | { readonly code: 'other_nozzle', readonly values: { readonly wanted: number, readonly printer: string, readonly fitted: number } }

function wrongModel (plate: SlicedFor, { model, name }: Machine): Misfit | undefined {
  const made = modelOf(plate)
  if (!made || model.model === 'UNKNOWN' || isKin(made.model, model.model)) return undefined
  return { code: 'other_model', values: { made: made.name, printer: name, model: model.name } }
}

/** Nozzle diameters are compared to 0.01 mm, because reports round them. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 0.01

const SINGLE = -1

const hasId = (id: number) => (extruder: Extruder): boolean => extruder.id === id

/** Diameter of the nozzle fitted at this extruder, mm; 0 unknown. */
function fitted ({ state }: Machine, physical: number): number {
  const extruders = state?.extruders ?? []
  const own = extruders.find(hasId(physical)) ?? extruders.find(hasId(SINGLE))
  return own?.nozzle.diameterMm || (extruders.length < 2 ? state?.device.nozzleDiameterMm ?? 0 : 0)
}

function wrongNozzle (plate: SlicedFor, session: Machine): Misfit | undefined {
  for (const { id } of plate.filaments.filter(({ id }) => id > 0)) {
    const logical = plate.filamentExtruders[id - 1] ?? 1
    const wanted = plate.nozzleDiametersMm[logical - 1] ?? plate.nozzleDiametersMm[0] ?? 0
    const found = fitted(session, extruderOf(plate, id) ?? 0)
    if (wanted > 0 && found > 0 && !isSame(wanted, found)) {
      return { code: 'other_nozzle', values: { wanted, printer: session.name, fitted: found } }
    }
  }
  return undefined
}

/** The extruder whose nozzle is fixed, while the other fetches nozzles from the rack. */
const FIXED = 1

/**
 * A printer with a nozzle rack needs the nozzle for each filament in the command. That choice is made by the slicer and
 * is not part of the project. Without it the firmware may level with one nozzle and print with another, above the bed.
 * A plate for the fixed nozzle alone does not need it.
 */
function needsRack (plate: SlicedFor, { model, name }: Machine): Misfit | undefined {
  if (model.nozzleRack !== true || plate.filaments.every(({ id }) => id <= 0 || extruderOf(plate, id) === FIXED)) {
    return undefined
  }
  return { code: 'nozzle_rack', values: { printer: name, model: model.name } }
}

/** A plate for another model, for another nozzle diameter, or for a nozzle from the rack. */
export const misfitOf = (plate: SlicedFor, session: Machine): Misfit | undefined =>
  wrongModel(plate, session) ?? needsRack(plate, session) ?? wrongNozzle(plate, session)

/** Why a plate does not fit this printer, as a sentence. */
export function unfit (plate: SlicedFor, session: Machine): string | undefined {
  const misfit = misfitOf(plate, session)
  if (misfit?.code === 'other_model') {
    const { made, printer, model } = misfit.values
    return `The plate is sliced for ${made}, '${printer}' is a ${model}.`
  }
  if (misfit?.code === 'nozzle_rack') {
    const { printer, model } = misfit.values
    return `The plate prints with the nozzle rack of '${printer}', a ${model}, and this service does not choose nozzles ` +
      'from a rack yet: start it from Bambu Studio or on the printer. Plates for the fixed left nozzle alone can be started here.'
  }
  if (!misfit) return undefined
  const { wanted, printer, fitted } = misfit.values
  return `The plate is sliced for a ${wanted} mm nozzle, '${printer}' has one of ${fitted} mm.`
}

/** The filaments that a plate uses, with the nozzle that prints each. @param dual the printer has two */
export function wantedFilaments (plate: SlicedFor, dual: boolean): WantedFilament[] {
  const hasSides = dual && isDual(plate)
  return plate.filaments.filter(({ id }) => id > 0)
    .map(filament => ({ ...filament, extruder: hasSides ? extruderOf(plate, filament.id) : undefined }))
}
