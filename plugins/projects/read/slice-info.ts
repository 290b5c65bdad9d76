import { MOST_FILAMENTS, MOST_PARTS } from '../limits.js'
import { colorOf, diametersOf, numberOf, wholeOf, wholesOf } from './numbers.js'
import { attributeOf, childrenOf, metadataOf, parseXml, type Element } from './xml.js'

/** A filament of a project; `id` counts from 1 and indexes mappings. */
export interface Filament {
  readonly id: number
  readonly type: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** Id in the filament catalogue; undefined when unknown. */
  readonly catalogueId?: string
  /** Name of the slicer's preset, such as `My PLA Silk`; undefined when unknown. */
  readonly label?: string
  /** g; undefined when unknown. */
  readonly grams?: number
  /** m; undefined when unknown. */
  readonly metres?: number
}

/** An object of a plate; `id` is what `skip_objects` takes. */
export interface Part { readonly id: number, readonly name: string }

/** The slicer's data of a sliced plate. */
export interface SlicedPlate {
  readonly printerModelId: string
  /** mm, one an extruder. */
  readonly nozzleDiametersMm: readonly number[]
  /** Logical extruder of each filament, from 1. */
  readonly filamentExtruders: readonly number[]
  readonly predictionSeconds: number | undefined
  readonly grams: number | undefined
  readonly filaments: readonly Filament[]
  readonly parts: readonly Part[]
}

function filamentOf (element: Element): Filament {
  const grams = numberOf(attributeOf(element, 'used_g'))
  const metres = numberOf(attributeOf(element, 'used_m'))
  const id = wholeOf(attributeOf(element, 'id')) ?? -1
  const catalogueId = attributeOf(element, 'tray_info_idx')?.trim() ?? ''
  return {
    id: id <= MOST_FILAMENTS ? id : -1,
    type: attributeOf(element, 'type')?.trim() ?? '',
    color: colorOf(attributeOf(element, 'color')),
    ...(catalogueId !== '' && { catalogueId }),
    ...(grams !== undefined && { grams }),
    ...(metres !== undefined && { metres })
  }
}

function partOf (element: Element): Part[] {
  const id = wholeOf(attributeOf(element, 'identify_id'))
  return id === undefined ? [] : [{ id, name: attributeOf(element, 'name') ?? '' }]
}

function plateOf (element: Element): [number, SlicedPlate] {
  const metadata = metadataOf(element)
  return [wholeOf(metadata.get('index')) ?? -1, {
    printerModelId: metadata.get('printer_model_id')?.trim() ?? '',
    nozzleDiametersMm: diametersOf(metadata.get('nozzle_diameters')),
    filamentExtruders: wholesOf(metadata.get('filament_maps')).slice(0, MOST_FILAMENTS),
    predictionSeconds: numberOf(metadata.get('prediction')),
    grams: numberOf(metadata.get('weight')),
    filaments: childrenOf(element, 'filament').slice(0, MOST_FILAMENTS).map(filamentOf),
    parts: childrenOf(element, 'object').slice(0, MOST_PARTS).flatMap(partOf)
  }]
}

/** Reads `slice_info.config` by plate number; the first of two plates with the same number wins. */
export function readSliceInfo (text: string): ReadonlyMap<number, SlicedPlate> {
  const [config] = childrenOf(parseXml(text), 'config')
  return new Map(childrenOf(config, 'plate').map(plateOf).reverse())
}

/** Reads the users' plate names from `model_settings.config`, by plate number. */
export function readPlateNames (text: string): ReadonlyMap<number, string> {
  const [config] = childrenOf(parseXml(text), 'config')
  return new Map(childrenOf(config, 'plate').map(element => {
    const metadata = metadataOf(element)
    return [wholeOf(metadata.get('plater_id')) ?? -1, metadata.get('plater_name') ?? '']
  }))
}
