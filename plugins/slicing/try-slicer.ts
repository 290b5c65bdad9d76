import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelInfo } from '../../core/index.js'
import { filamentById } from '../filament/index.js'
import { summarizeHostPlate } from '../toolpath/index.js'
import type { FoundEngine } from './engines/choose-engine.js'
import { NoImportedProfile } from './errors.js'
import type { ImportedProfile } from './imported/imported-profiles.js'
import { presetFacts } from './imported/preset-facts.js'
import type { PresetFile } from './imported/preset-file.js'
import { readPresets, type FindPreset, type Presets } from './imported/read-presets.js'
import { makePlate } from './make-plate.js'
import { ModelThread } from './models/index.js'

/** What came of a trial. */
export interface SlicerTrial {
  /** From the model to the plate that was read, ms. */
  readonly ms: number
  readonly layers: number
  readonly grams: number
  /** What was found in the plate, in words. */
  readonly findings: readonly string[]
}

const NOZZLE_MM = 0.4
const SIDE_MM = 10
const PROFILE = 'trial'
/** Presets of vendors have four. */
const MOST_LEVELS = 8

/** A cube as text of the format OBJ. */
function cubeObj (side: number): string {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(at => `v ${at & 1 ? side : 0} ${at & 2 ? side : 0} ${at & 4 ? side : 0}`)
  const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'].map(corners => `f ${corners}`)
  return [...corners, ...faces, ''].join('\n')
}

/** A value of a printer's preset, or of the nearest that it builds on. */
function inherited (find: FindPreset, preset: PresetFile, key: string, levels = MOST_LEVELS): string | undefined {
  const [own] = [preset.settings.get(key) ?? []].flat()
  if (own !== undefined || levels === 0) return own
  const parents = preset.parents.toReversed().flatMap(name => find('machine', name, preset) ?? [])
  return parents.map(parent => inherited(find, parent, key, levels - 1)).find(value => value !== undefined)
}

/**
 * The presets that a desktop slicer suggests for a printer with a nozzle of 0.4 mm; undefined if it has none for it.
 * @throws PRN_ERR_BAD_INPUT for presets that are incomplete
 */
export function suggestedPresets (find: FindPreset, { name }: Pick<ModelInfo, 'name'>): Presets | undefined {
  const machine = find('machine', `${name} ${NOZZLE_MM} nozzle`)
  const print = machine && inherited(find, machine, 'default_print_profile')
  const filament = machine && inherited(find, machine, 'default_filament_profile')
  if (machine === undefined || print === undefined || filament === undefined) return undefined
  return readPresets([], { printer: machine.name, print, filament }, find)
}

/** The profile that makes an order use these presets. */
const importOf = (presets: Presets): ImportedProfile => ({
  id: PROFILE, name: PROFILE, addedAt: 0, addedBy: '', changed: [], settings: {}, presets, facts: presetFacts(presets)
})

export interface TrySlicerOptions {
  /** An empty folder. */
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * Slices a cube of 10 mm for a printer, and reads the plate as every plate is read.
 * @param presets for a slicer that takes presets; left out: the built-in profile for PLA
 * @throws the errors of slicers and of reading plates, the signal's reason
 */
export async function trySlicer (
  engine: FoundEngine, model: ModelInfo, presets: Presets | undefined, { folder, signal }: TrySlicerOptions
): Promise<SlicerTrial> {
  const cube = join(folder, 'cube.obj')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(cube, cubeObj(SIDE_MM))
  const thread = new ModelThread()
  const profile = presets && importOf(presets)
  const began = performance.now()
  try {
    const report = await thread.inspect(cube, 'cube.obj', signal)
    const stored = { id: PROFILE, name: 'cube.obj', size: 0, addedAt: 0, addedBy: '', report }
    const target = { model, nozzleMm: NOZZLE_MM }
    const { path } = await makePlate({
      models: { find: () => stored, pathOf: () => cube },
      thread,
      filaments: { byId: filamentById },
      imports: { find (name) { if (profile) return profile; throw new NoImportedProfile(name) } }
    }, target, engine, { name: PROFILE, parts: [{ model: PROFILE }], ...profile && { profile: PROFILE } }, {
      folder, signal, onStep () {}
    })
    const judged = { model, nozzles: [NOZZLE_MM], acceptsOwnStartCode: true }
    const plate = await summarizeHostPlate(path, 1, judged, { folder, signal })
    return {
      ms: performance.now() - began,
      layers: plate.layers,
      grams: plate.filaments.reduce((sum, { part_g: part, prime_g: prime }) => sum + part + prime, 0),
      findings: plate.findings.map(({ message }) => message)
    }
  } finally {
    await thread.close()
  }
}
