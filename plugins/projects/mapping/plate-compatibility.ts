import { modelByName, type Extruder, type ModelInfo, type PrinterSession } from '../../../core/index.js'
import { extruderOf, isDual } from '../read/external.js'
import type { Plate } from '../read/project.js'
import type { WantedFilament } from './judge.js'

/** What the plate was sliced for. */
export type SlicedFor =
  Pick<Plate, 'printerModelId' | 'filaments' | 'filamentExtruders' | 'physicalExtruders' | 'nozzleDiametersMm'>
/** What is known of the printer. */
export type Machine = Pick<PrinterSession, 'name' | 'model' | 'state'>

/** Printers that take each other's toolpaths. */
const KIN: readonly (readonly string[])[] = [['X1C', 'X1', 'X1E', 'P1P', 'P1S'], ['H2D', 'H2D_PRO']]

const isKin = (a: string, b: string): boolean => a === b || KIN.some(group => group.includes(a) && group.includes(b))

/** A queue compares one plate with many printers. */
const madeFor = new WeakMap<SlicedFor, ModelInfo | undefined>()

function modelOf (plate: SlicedFor): ModelInfo | undefined {
  if (madeFor.has(plate)) return madeFor.get(plate)
  const made = plate.printerModelId === '' ? undefined : modelByName(plate.printerModelId)
  madeFor.set(plate, made)
  return made
}

/** Models that take the toolpaths of a plate, the one it was sliced for first; empty when that is not known. */
export function modelsFor (plate: SlicedFor): string[] {
  const made = modelOf(plate)?.model
  if (made === undefined) return []
  return [made, ...KIN.find(group => group.includes(made))?.filter(model => model !== made) ?? []]
}

function wrongModel (plate: SlicedFor, { model, name }: Machine): string | undefined {
  const made = modelOf(plate)
  if (!made || model.model === 'UNKNOWN' || isKin(made.model, model.model)) return undefined
  return `The plate is sliced for ${made.name}, '${name}' is a ${model.name}.`
}

/** Nozzles are compared to a hundredth of a millimetre: reports round. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 0.01

const SINGLE = -1

const hasId = (id: number) => (extruder: Extruder): boolean => extruder.id === id

/** What the printer has at this extruder, mm; 0 unknown. */
function fitted ({ state }: Machine, physical: number): number {
  const extruders = state?.extruders ?? []
  const own = extruders.find(hasId(physical)) ?? extruders.find(hasId(SINGLE))
  return own?.nozzle.diameterMm || (extruders.length < 2 ? state?.device.nozzleDiameterMm ?? 0 : 0)
}

function wrongNozzle (plate: SlicedFor, session: Machine): string | undefined {
  for (const { id } of plate.filaments.filter(({ id }) => id > 0)) {
    const logical = plate.filamentExtruders[id - 1] ?? 1
    const wanted = plate.nozzleDiametersMm[logical - 1] ?? plate.nozzleDiametersMm[0] ?? 0
    const found = fitted(session, extruderOf(plate, id) ?? 0)
    if (wanted > 0 && found > 0 && !isSame(wanted, found)) {
      return `The plate is sliced for a ${wanted} mm nozzle, '${session.name}' has one of ${found} mm.`
    }
  }
  return undefined
}

/** Why a plate is not for this printer: another model's toolpaths, or another nozzle's. */
export const unfit = (plate: SlicedFor, session: Machine): string | undefined =>
  wrongModel(plate, session) ?? wrongNozzle(plate, session)

/** The filaments that a plate uses, with the nozzle that prints each. @param dual the printer has two */
export function wantedFilaments (plate: SlicedFor, dual: boolean): WantedFilament[] {
  const hasSides = dual && isDual(plate)
  return plate.filaments.filter(({ id }) => id > 0)
    .map(filament => ({ ...filament, extruder: hasSides ? extruderOf(plate, filament.id) : undefined }))
}
