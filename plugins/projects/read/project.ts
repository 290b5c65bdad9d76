import type { Archive } from '../archive/index.js'
import { isPlainPng, toPixels } from '../images.js'
import { GCODE_HEAD, LARGEST_IMAGE, LARGEST_TEXT, MOST_FILAMENTS, MOST_PLATES } from '../limits.js'
import { bedTypeOf } from './bed-type.js'
import type { BedMm } from './bed.js'
import { readGcodeHead, type GcodeHead } from './gcode-head.js'
import { identify, type Pick } from './identify.js'
import { NO_MAP, readPlateMap, type Box, type PlateMap } from './plate-map.js'
import type { PrintSettings } from './print-settings.js'
import { readSettings, type ProjectSettings } from './settings.js'
import { readPlateNames, readSliceInfo, type Filament, type SlicedPlate } from './slice-info.js'

interface Sources {
  readonly sliced: SlicedPlate | undefined
  readonly map: PlateMap
  readonly settings: ProjectSettings
  readonly head: GcodeHead | undefined
}

const byId = (ids: readonly number[], describe: (id: number) => Filament): Filament[] =>
  [...new Set(ids)].sort((a, b) => a - b).map(describe)

function fromMap ({ map, settings }: Sources): Filament[] {
  return byId(map.filamentIds.map(id => id + 1), id => ({
    id,
    type: settings.filamentTypes[id - 1] ?? '',
    color: settings.filamentColors[id - 1] || (map.filamentColors[map.filamentIds.indexOf(id - 1)] ?? '')
  }))
}

const fromHead = ({ head }: Sources): Filament[] => head === undefined
  ? []
  : byId(head.filamentIds.filter(id => id > 0 && id <= MOST_FILAMENTS), id =>
    ({ id, type: head.types[id - 1] ?? '', color: head.colors[id - 1] ?? '' }))

/** Completes a filament with what only the project's settings contain. */
function completed (filament: Filament, { catalogueIds, filamentLabels }: ProjectSettings): Filament {
  const catalogueId = filament.catalogueId ?? catalogueIds[filament.id - 1] ?? ''
  const label = filamentLabels[filament.id - 1] ?? ''
  return { ...filament, ...(catalogueId !== '' && { catalogueId }), ...(label !== '' && { label }) }
}

/** Filaments of a plate from the slicer's list, else from its map and the project, else from the toolpaths. */
function filamentsOf (sources: Sources): readonly Filament[] {
  const listed = sources.sliced?.filaments ?? []
  const mapped = listed.length > 0 ? [] : fromMap(sources)
  const found = [listed, mapped].find(({ length }) => length > 0) ?? fromHead(sources)
  return found.map(filament => completed(filament, sources.settings))
}

/** Data common to all plates of a project. */
export interface Project {
  /** There are plates with higher numbers, which are not read. */
  readonly hasMorePlates: boolean
  /** Numbers of its plates, ascending; gaps are usual. */
  readonly plates: readonly number[]
  readonly names: ReadonlyMap<number, string>
  readonly sliced: ReadonlyMap<number, SlicedPlate>
  readonly settings: ProjectSettings
}

export interface Plate {
  readonly number: number
  readonly name: string
  /** The plate has toolpaths. */
  readonly printable: boolean
  readonly filaments: readonly Filament[]
  readonly filamentExtruders: readonly number[]
  readonly physicalExtruders: readonly number[]
  readonly nozzleDiametersMm: readonly number[]
  readonly printerModelId: string
  readonly seconds: number | undefined
  readonly grams: number | undefined
  readonly map: PlateMap
  /** Boxes of the map with the ids for `skip_objects`. */
  readonly boxes: readonly Box[]
  readonly bedMm: BedMm | undefined
  /** Build plate that it is sliced for, such as `textured_plate`; empty when unknown. */
  readonly bedType: string
  readonly print: PrintSettings
}

const PLATE = /^Metadata\/plate_([1-9]\d?)\.(?:json|gcode)$/

const gcodeOf = (number: number): string => `Metadata/plate_${number}.gcode`

const numbersIn = ({ names }: Archive): readonly number[] =>
  [...new Set(names.map(name => Number(PLATE.exec(name)?.[1] ?? 0)))].filter(number => number > 0).sort((a, b) => a - b)

const textIn = async (archive: Archive, name: string): Promise<string | undefined> =>
  (await archive.read(name, LARGEST_TEXT))?.toString('utf8')

/** Reads the data common to all plates. A project without plates is valid: it was not sliced. */
export async function readProject (archive: Archive): Promise<Project> {
  const sliceInfo = await textIn(archive, 'Metadata/slice_info.config')
  const names = await textIn(archive, 'Metadata/model_settings.config')
  const numbers = numbersIn(archive)
  return {
    plates: numbers.filter(number => number <= MOST_PLATES),
    hasMorePlates: numbers.some(number => number > MOST_PLATES),
    sliced: readSliceInfo(sliceInfo ?? ''),
    names: readPlateNames(names ?? ''),
    settings: readSettings(await textIn(archive, 'Metadata/project_settings.config'))
  }
}

export const IMAGES = { thumbnail: 'plate', topimg: 'top' } as const
export type ImageKind = keyof typeof IMAGES

async function pngIn (archive: Archive, name: string): Promise<Buffer | undefined> {
  const bytes = await archive.read(name, LARGEST_IMAGE)
  return bytes && isPlainPng(bytes) ? bytes : undefined
}

/** The slicer's picture of a plate. */
export const readImage = (archive: Archive, plate: number, kind: ImageKind): Promise<Buffer | undefined> =>
  pngIn(archive, `Metadata/${IMAGES[kind]}_${plate}.png`)

async function readPick (archive: Archive, plate: number, bedMm: BedMm): Promise<Pick | undefined> {
  const bytes = await pngIn(archive, `Metadata/pick_${plate}.png`)
  const pixels = bytes && await toPixels(bytes)
  return pixels && { pixels, bedMm }
}

const headOf = async (archive: Archive, plate: number) => {
  const text = await archive.head(gcodeOf(plate), GCODE_HEAD)
  return text === undefined ? undefined : readGcodeHead(text)
}

/** Some slicers write the weight of each filament only. */
function gramsOf (sliced: SlicedPlate | undefined): number | undefined {
  if (sliced === undefined || sliced.grams) return sliced?.grams
  const grams = sliced.filaments.map(filament => filament.grams)
  return grams.length === 0 || grams.includes(undefined)
    ? sliced.grams
    : (grams as number[]).reduce((sum, each) => sum + each, 0)
}

/**
 * One plate without its pictures.
 * @param modelBed the printer's bed, used when the project does not contain its own
 */
export async function readPlate (archive: Archive, project: Project, number: number, modelBed: BedMm): Promise<Plate> {
  const { settings } = project
  const sliced = project.sliced.get(number)
  const map = readPlateMap(await textIn(archive, `Metadata/plate_${number}.json`)) ?? NO_MAP
  const head = await headOf(archive, number)
  const physical = head?.physicalExtruders ?? []
  const diameters = sliced?.nozzleDiametersMm ?? []
  const pick = map.boxes.length > 0 ? await readPick(archive, number, settings.bedMm ?? modelBed) : undefined
  return {
    number,
    map,
    name: project.names.get(number) ?? '',
    printable: archive.sizeOf(gcodeOf(number)) > 0,
    filaments: filamentsOf({ sliced, map, settings, head }),
    filamentExtruders: sliced?.filamentExtruders ?? [],
    physicalExtruders: physical.length > 0 ? physical : settings.physicalExtruders,
    nozzleDiametersMm: diameters.length > 0 ? diameters : settings.nozzleDiametersMm,
    printerModelId: sliced?.printerModelId ?? '',
    seconds: sliced?.predictionSeconds,
    grams: gramsOf(sliced),
    boxes: identify(map.boxes, sliced?.parts ?? [], pick),
    bedMm: settings.bedMm,
    bedType: bedTypeOf(map.fields.bed_type, settings.bedType),
    print: Object.keys(settings.print).length > 0 ? settings.print : head?.print ?? {}
  }
}
