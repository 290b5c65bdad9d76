import { mkdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ModelInfo, PrinterSession } from '../../core/index.js'
import type { Filaments } from '../filament/index.js'
import { targetOf } from '../toolpath/index.js'
import type { FoundEngine } from './engines/choose-engine.js'
import { SlicerFailed } from './errors.js'
import type { ModelStore } from './model-store.js'
import type { ModelThread, Placement, PlacedPart } from './models/index.js'
import { chosenProfile, type ChosenProfile } from './chosen-profile.js'
import { chosenPresets, type ChosenPresets } from './imported/chosen-presets.js'
import type { ImportedProfiles } from './imported/imported-profiles.js'
import { chosenImport } from './imported/imported-profile.js'
import { finishArchive } from './plate-file/finish-archive.js'
import { writePlate } from './plate-file/write-plate.js'
import { excludedOf, type Rectangle } from './excluded-areas.js'
import { primeArea } from './own-profiles/start-code.js'
import type { OrderedPart, PlateOrder } from './schemas.js'
import type { EngineResult, SlicingTarget } from './types.js'

const SPACING_MM = 5
const MARGIN_MM = 3
const USUAL_NOZZLE_MM = 0.4
/** Of each part of a colour in pictures, of 255. */
const DARKEST = 64

export interface MakePlateDeps {
  readonly models: Pick<ModelStore, 'find' | 'pathOf'>
  readonly thread: Pick<ModelThread, 'place'>
  readonly filaments: Pick<Filaments, 'byId'>
  readonly imports: Pick<ImportedProfiles, 'find'>
}

export interface MakePlateOptions {
  readonly signal: AbortSignal
  /** An empty folder of the job. */
  readonly folder: string
  /** @param percent of all that a person waits for */
  readonly onStep: (percent: number, step: string) => void
}

/** Shares of the work that a person waits for, per cent. */
const PLACED = 10
const SLICED = 80

/** A black part would be a black hole in the picture: its shape is drawn by light. */
const litColor = (color: string): string => '#' + [1, 3, 5].map(at =>
  Math.round(DARKEST + Number.parseInt(color.slice(at, at + 2), 16) * (1 - DARKEST / 255)).toString(16)).join('')

/** How an ordered part is placed. */
function placedPart (models: MakePlateDeps['models'], ordered: OrderedPart, color: string): PlacedPart {
  const model = models.find(ordered.model)
  const { part, copies, scale, rotate, lay_flat: orient, repair, at } = ordered
  const inFile = part === undefined ? undefined : model.report.parts[part]?.name
  return {
    model: models.pathOf(model),
    name: inFile === undefined || inFile === '' ? model.name : inFile,
    color: litColor(color),
    ...part !== undefined && { part },
    ...copies !== undefined && { copies },
    ...scale !== undefined && { scale },
    ...rotate !== undefined && { rotateDeg: rotate as unknown as [number, number, number] },
    ...orient !== undefined && { orient },
    ...repair !== undefined && { repair },
    ...at !== undefined && { at: at as unknown as [number, number] }
  }
}

/** Where no model may lie: what the printer cannot use, and the lines of the start code. */
export const takenAreas = (model: ModelInfo): readonly Rectangle[] => [...excludedOf(model), primeArea({ model })]

export interface PlaceOptions {
  readonly color: string
  readonly brimMm: number
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * Places models on the bed of a printer's model, and writes them and pictures of them to a folder.
 * @throws the errors of models
 */
export async function placeParts (
  { models, thread }: Pick<MakePlateDeps, 'models' | 'thread'>, { model }: Pick<SlicingTarget, 'model'>,
  parts: readonly OrderedPart[], { color, brimMm, folder, signal }: PlaceOptions
): Promise<Placement> {
  const placement = await thread.place({
    parts: parts.map(part => placedPart(models, part, color)),
    bedMm: model.bedMm,
    excluded: takenAreas(model),
    spacingMm: SPACING_MM + 2 * brimMm,
    marginMm: MARGIN_MM + brimMm,
    folder
  }, signal)
  const within = (name: string) => resolve(folder, name)
  const { plate, small, top, pick } = placement.pictures
  return {
    ...placement,
    instances: placement.instances.map(instance => ({ ...instance, file: within(instance.file) })),
    pictures: { plate: within(plate), small: within(small), top: within(top), pick: within(pick) }
  }
}

/** The nozzle that is in the printer, unless another one was asked for; 0.4 mm if it is not known. */
export const targetFor = (session: PrinterSession, nozzleMm?: number): SlicingTarget =>
  ({ model: session.model, nozzleMm: nozzleMm ?? targetOf(session).nozzles[0] ?? USUAL_NOZZLE_MM })

/**
 * The imported profile that an order names, or a built-in one.
 * @throws PRN_ERR_NO_IMPORTED_PROFILE, PRN_ERR_BAD_INPUT for what does not suit the printer
 */
export function profileFor (
  { filaments, imports }: Pick<MakePlateDeps, 'filaments' | 'imports'>, target: SlicingTarget, order: PlateOrder
): ChosenProfile | ChosenPresets {
  if (order.profile === undefined) return chosenProfile(filaments, target, order)
  const { presets, ...imported } = imports.find(order.profile)
  return presets
    ? chosenPresets(target, { ...imported, presets }, order)
    : chosenImport(filaments, target, imported, order)
}

const nameOf = ({ slicer: { title }, found: { version } }: FoundEngine): string =>
  version === '' ? title : `${title} ${version}`

/** Name of the plate's file. */
export const fileNameOf = (name: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 80) || 'plate'}.gcode.3mf`

interface Work {
  readonly engine: FoundEngine
  readonly profile: ChosenProfile | ChosenPresets
  readonly placement: Placement
  readonly target: SlicingTarget
  readonly name: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** Writes the plate's archive of what the slicer wrote. @returns its path */
async function writeArchive (sliced: EngineResult, work: Work): Promise<string> {
  const { engine, profile, placement, target, name, folder, signal } = work
  const { title } = engine.slicer
  if ('archive' in sliced) {
    const path = join(folder, 'finished.gcode.3mf')
    await finishArchive(sliced.archive, path, { pictures: placement.pictures, title, signal })
    return path
  }
  if ('presets' in profile) throw new SlicerFailed(title, 'it wrote toolpaths without the archive of a plate')
  const { instances } = placement
  const { path } = await writePlate(sliced.gcode, placement, {
    ...profile, name, ...target, instances, slicer: nameOf(engine)
  }, folder, signal)
  return path
}

export interface MadePlate {
  readonly path: string
  /** The slicer and its version. */
  readonly slicer: string
}

/**
 * Makes a plate that printers take of models.
 * @throws the errors of models and slicers
 */
export async function makePlate (
  deps: MakePlateDeps, target: SlicingTarget, engine: FoundEngine, order: PlateOrder & { readonly name: string },
  { folder, signal, onStep }: MakePlateOptions
): Promise<MadePlate> {
  const profile = profileFor(deps, target, order)
  onStep(0, 'placing')
  const [parts, work] = [join(folder, 'parts'), join(folder, 'work')]
  for (const made of [parts, work]) await mkdir(made, { recursive: true, mode: 0o700 })
  const placement = await placeParts(deps, target, order.parts, { ...profile, folder: parts, signal })
  onStep(PLACED, 'slicing')
  const settings = 'presets' in profile ? { settings: '', presets: profile.presets } : { settings: profile.settings }
  const sliced = await engine.slicer.slice({ instances: placement.instances, ...settings, target, folder: work }, {
    signal, onProgress: (percent, step) => onStep(PLACED + percent * (SLICED - PLACED) / 100, step)
  })
  onStep(SLICED, 'writing')
  const path = join(folder, fileNameOf(order.name))
  const { name } = order
  await rename(await writeArchive(sliced, { engine, profile, placement, target, name, folder: work, signal }), path)
  return { path, slicer: nameOf(engine) }
}
