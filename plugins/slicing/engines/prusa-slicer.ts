import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SlicerFailed } from '../errors.js'
import type { EngineJob, EngineOptions, EngineResult, FoundSlicer, Slicer } from '../types.js'
import { findProgram, type ProgramPlaces } from './find-program.js'
import { runProgram, type RunLimits } from './run-program.js'

const PLACES: ProgramPlaces = {
  names: ['prusa-slicer', 'PrusaSlicer', 'prusa-slicer-console'],
  paths: [
    '/Applications/PrusaSlicer.app/Contents/MacOS/PrusaSlicer',
    '/Applications/Original Prusa Drivers/PrusaSlicer.app/Contents/MacOS/PrusaSlicer',
    'C:\\Program Files\\Prusa3D\\PrusaSlicer\\prusa-slicer-console.exe'
  ],
  ask: ['--help'],
  version: /PrusaSlicer-(\d+\.\d+\.\d+\S*?)(?:\+\S*)? based on/
}

/** Where PrusaSlicer is, and its version. @param program a path that the configuration names */
export const findPrusaSlicer = (program?: string): Promise<FoundSlicer | undefined> => findProgram(PLACES, program)

/** Of a configuration of somebody else: programs that the slicer would run after slicing. */
const RUNS_PROGRAMS = /^\s*post_process\s*=/

/** `20 => Generating perimeters`. */
const PROGRESS = /^(\d{1,3}) => (.*)$/

/** What it says when there is nothing to print, or a setting is wrong, goes to the caller; its own trace does not. */
const isTrace = (line: string): boolean => /\[(trace|debug|info)\]/.test(line) || PROGRESS.test(line) || line.trim() === ''

const withoutTime = (line: string): string => line.replace(/^\[[^\]]*\]\s*\[[^\]]*\]\s*/, '').trim()

export interface PrusaSlicerOptions extends RunLimits {
  /** Path of the program; searched for if absent. */
  readonly program?: string | undefined
  readonly onStart?: (pid: number) => void
}

/**
 * PrusaSlicer 2.5 and newer by its command line. It reads one configuration file, so settings with references to other
 * presets are of no use to it.
 */
export function prusaSlicer (options: PrusaSlicerOptions): Slicer {
  let found: Promise<FoundSlicer | undefined> | undefined

  async function find (): Promise<FoundSlicer | undefined> {
    const known = await (found ??= findPrusaSlicer(options.program)).catch((error: unknown) => {
      found = undefined // a full disk, for a moment
      throw error
    })
    if (known === undefined || !existsSync(known.place)) found = undefined // it may be installed later
    return known
  }

  async function slice (job: EngineJob, { signal, onProgress }: EngineOptions): Promise<EngineResult> {
    const program = (await find())?.place
    if (program === undefined) throw new SlicerFailed('PrusaSlicer', 'it is not there')
    const settings = join(job.folder, 'settings.ini')
    const gcode = join(job.folder, 'plate.gcode')
    const lines = job.settings.split(/\r?\n/).filter(line => !RUNS_PROGRAMS.test(line))
    await writeFile(settings, lines.join('\n'))
    const args = ['--datadir', join(job.folder, 'data'), '--load', settings, '--dont-arrange', '--merge',
      '--export-gcode', '--output', gcode, ...job.instances.map(({ file }) => file)]
    const { code, endSignal, lastLines } = await runProgram([program, ...args], {
      ...options,
      folder: job.folder,
      signal,
      onLine (line) {
        const [, percent, step = ''] = PROGRESS.exec(line) ?? []
        if (percent !== undefined) onProgress(Math.min(Number(percent), 100), step)
      }
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new SlicerFailed('PrusaSlicer', (error as Error).message, { cause: error })
    })
    const size = await stat(gcode).then(({ size }) => size, () => 0)
    if (code === 0 && size > 0) return { gcode }
    const said = lastLines.filter(line => !isTrace(line)).map(withoutTime).slice(-4).join(' ')
    throw new SlicerFailed('PrusaSlicer', said || `it ended ${endSignal === null ? `with code ${code}` : `by ${endSignal}`}`)
  }

  return { name: 'prusa-slicer', title: 'PrusaSlicer', find, slice }
}
