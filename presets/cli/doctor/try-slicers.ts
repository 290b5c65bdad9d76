import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelByName, resolveModel, timeoutSignal, type Config, type ModelInfo } from '../../../core/index.js'
import {
  bambuStudio, openPresetFolders, orcaSlicer, prusaSlicer, remoteSlicers, suggestedPresets, trySlicer, type Slicer
} from '../../../plugins/slicing/index.js'
import { failed, ok, skipped, warning, type Check } from './report.js'
import type { SlicingOptions } from './machine-checks.js'

const TRIAL_MS = 120_000
const LIMITS = { timeoutMs: TRIAL_MS, memoryMiB: 4_096, fileMiB: 256 }
const USUAL_MODEL = 'P1S'

/** The model of the first printer whose model is known. */
function modelFor ({ printers }: Config): ModelInfo {
  const models = printers.map(({ serial, model }) => resolveModel(serial, model))
  return models.find(({ bedMm: [width] }) => width > 0) ?? modelByName(USUAL_MODEL)!
}

interface Candidate {
  readonly slicer: Slicer
  /** The configuration says where it is. */
  readonly isNamed: boolean
}

/** Has a slicer make a small cube, and says what came of it. */
async function trialOf (
  { slicer, isNamed }: Candidate, model: ModelInfo, find: ReturnType<typeof openPresetFolders>
): Promise<Check> {
  const { name, title, takes = 'configuration' } = slicer
  const found = await slicer.find()
  if (found === undefined) {
    return isNamed
      ? failed(name, `${title} is not where the configuration says`, 'Correct its path or address below plugins.slicing, or start it.')
      : skipped(name, `${title} is not there`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'prnd-trial-'))
  try {
    const presets = takes === 'presets' ? suggestedPresets(find, model) : undefined
    if (takes === 'presets' && presets === undefined) {
      return warning(name, `${title} ${found.version} was not tried: this user has no presets of it for the ${model.name}`,
        `Start ${title} once and choose that printer, so that it stores its presets.`)
    }
    const { ms, layers, grams, findings } = await trySlicer({ slicer, found }, model, presets, {
      folder, signal: timeoutSignal(TRIAL_MS)
    })
    const made = `${title} ${found.version} sliced a cube of 10 mm for the ${model.name} in ${(ms / 1_000).toFixed(1)} s: ` +
      `${layers} layers, ${grams.toFixed(2)} g`
    return findings.length === 0
      ? ok(name, made)
      : warning(name, `${made}; its plate has findings: ${findings.join('; ')}`, 'Look at the plate before you print one of this slicer.')
  } catch (error) {
    return failed(name, `${title} ${found.version}: ${(error as Error).message}`,
      'Slice a model with it by hand; if that works, report this with prnd doctor slicers --json.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Every slicer in turn, here and elsewhere: what each makes of a small cube.
 * @param find looks for presets of desktop slicers
 */
export async function trySlicers (config: Config, find = openPresetFolders()): Promise<Check[]> {
  const { remotes = [], ...programs } = (config.plugins.slicing || {}) as SlicingOptions
  const { prusaSlicer: prusa, orcaSlicer: orca, bambuStudio: bambu } = programs
  const candidates: Candidate[] = [
    { slicer: prusaSlicer({ ...LIMITS, program: prusa }), isNamed: prusa !== undefined },
    { slicer: orcaSlicer({ ...LIMITS, program: orca }), isNamed: orca !== undefined },
    { slicer: bambuStudio({ ...LIMITS, program: bambu }), isNamed: bambu !== undefined },
    ...remoteSlicers(remotes, LIMITS).map(slicer => ({ slicer, isNamed: true }))
  ]
  const model = modelFor(config)
  const checks: Check[] = []
  for (const candidate of candidates) checks.push(await trialOf(candidate, model, find))
  return checks
}
