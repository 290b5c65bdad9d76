import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SlicerFailed } from '../errors.js'
import type { PresetKind } from '../imported/preset-file.js'
import type { Presets } from '../imported/read-presets.js'
import type { EngineJob, EngineOptions, EngineResult, FoundSlicer, Slicer } from '../types.js'
import { EXIT_CODES } from './exit-codes.data.js'
import { findProgram, type ProgramPlaces } from './find-program.js'
import { openProgressPipe } from './progress-pipe.js'
import { runProgram, type Ended, type RunLimits } from './run-program.js'

/** Says its version with its help, as in `OrcaSlicer-2.3.1:`. */
const HELP = { ask: ['--help'], version: /^(?:OrcaSlicer|BambuStudio)-(\d+(?:\.\d+)+[\w.-]*?):?$/ } as const

/** A program that slices with presets. */
interface PresetProgram extends ProgramPlaces {
  readonly name: string
  readonly title: string
}

const ORCA: PresetProgram = {
  name: 'orca-slicer',
  title: 'OrcaSlicer',
  names: ['orca-slicer', 'OrcaSlicer', 'orcaslicer'],
  paths: [
    '/opt/orca-slicer/bin/orca-slicer',
    '/Applications/OrcaSlicer.app/Contents/MacOS/OrcaSlicer',
    'C:\\Program Files\\OrcaSlicer\\orca-slicer.exe'
  ],
  ...HELP
}

const BAMBU: PresetProgram = {
  name: 'bambu-studio',
  title: 'Bambu Studio',
  names: ['bambu-studio', 'BambuStudio', 'bambustudio'],
  paths: [
    '/opt/bambu-studio/bin/bambu-studio',
    '/Applications/BambuStudio.app/Contents/MacOS/BambuStudio',
    'C:\\Program Files\\Bambu Studio\\bambu-studio.exe'
  ],
  ...HELP
}

/** Where OrcaSlicer is, and its version. @param program a path that the configuration names */
export const findOrcaSlicer = (program?: string): Promise<FoundSlicer | undefined> => findProgram(ORCA, program)
/** Where Bambu Studio is, and its version. @param program a path that the configuration names */
export const findBambuStudio = (program?: string): Promise<FoundSlicer | undefined> => findProgram(BAMBU, program)

export interface PresetSlicerOptions extends RunLimits {
  /** Path of the program; searched for if absent. */
  readonly program?: string | undefined
}

const PLATE = 'plate.gcode.3mf'
/** Of what it says of itself in a file. */
const LARGEST_RESULT = 1024 ** 2
const LONGEST_REASON = 600

/**
 * The files of presets. They say that they come from the system, because the programs then compare the printer by its
 * name alone, and they inherit nothing, because older versions do not read what a file inherits.
 */
function presetDocuments (presets: Presets): Readonly<Record<PresetKind, object>> {
  const document = (type: PresetKind, more: object = {}) => {
    const { post_process: _, ...settings } = presets[type].settings // programs that would run after slicing
    return { ...settings, ...more, type, name: presets[type].name, from: 'system', instantiation: 'true' }
  }
  const printers = { compatible_printers: [presets.machine.name] }
  return { machine: document('machine'), process: document('process', printers), filament: document('filament', printers) }
}

const LONGEST_NAME = 60

/** Files of models under their names: the program names objects so, and the printer shows it where one is skipped. */
async function namedModels ({ instances, folder }: EngineJob): Promise<readonly string[]> {
  const paths: string[] = []
  for (const { id, name, file } of instances) {
    const own = join(folder, 'models', String(id))
    await mkdir(own, { recursive: true, mode: 0o700 })
    const plain = name.replace(/\.(stl|obj|3mf)$/i, '').replaceAll(/[^A-Za-z0-9 ._-]+/g, '_').slice(0, LONGEST_NAME)
    const path = join(own, `${plain || 'model'}.stl`)
    await link(file, path).catch(() => copyFile(file, path)) // not every file system has links
    paths.push(path)
  }
  return paths
}

/** Models where they lie: their files are in bed coordinates, so nothing is moved. */
const assembleList = (models: readonly string[]): object => ({
  plates: [{
    plate_name: '',
    need_arrange: false,
    objects: models.map(path =>
      ({ path, count: 1, filaments: [1], assemble_index: [0], pos_x: [0], pos_y: [0], pos_z: [0] }))
  }]
})

interface Written { readonly args: readonly string[], readonly archive: string, readonly output: string }

/** Writes what the program reads, and says how it is called. */
async function prepare (job: EngineJob, presets: Presets): Promise<Written> {
  const [output, data] = [join(job.folder, 'output'), join(job.folder, 'data')]
  for (const folder of [output, data]) await mkdir(folder, { recursive: true, mode: 0o700 })
  const write = async (name: string, content: object): Promise<string> => {
    const path = join(job.folder, name)
    await writeFile(path, JSON.stringify(content, null, 1), { mode: 0o600 })
    return path
  }
  const documents = presetDocuments(presets)
  const machine = await write('machine.json', documents.machine)
  const process = await write('process.json', documents.process)
  const filament = await write('filament.json', documents.filament)
  const models = await write('models.json', assembleList(await namedModels(job)))
  return {
    output,
    archive: join(output, PLATE),
    args: ['--datadir', data, '--outputdir', output, '--debug', '2',
      '--load-settings', `${machine};${process}`, '--load-filaments', filament, '--load-assemble-list', models,
      '--arrange', '0', '--orient', '0', '--slice', '0', '--min-save',
      '--export-3mf', PLATE] // it puts the folder before the name
  }
}

/** Codes are negative; systems keep eight bits of them, or show all as a positive number. */
const signed = (code: number): number => code >= 2 ** 31 ? code - 2 ** 32 : code > 127 ? code - 256 : code

/** What it wrote about its end; only the builds for Linux do. */
async function ownWords (output: string): Promise<string> {
  try {
    const path = join(output, 'result.json')
    if ((await stat(path)).size > LARGEST_RESULT) return ''
    const { error_string: words } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    return typeof words === 'string' ? words.trim() : ''
  } catch {
    return ''
  }
}

const withoutTime = (line: string): string => line.replace(/^(?:\[[^\]]*\]\s*)+/, '').trim()
/** It says this of a host without a screen, where it draws no pictures; nothing depends on them. */
const isOfScreen = (line: string): boolean => /glfw|opengl|display|wayland|thumbnail|gtk/i.test(line)

async function reasonOf ({ code, endSignal, lastLines }: Ended, output: string): Promise<string> {
  if (endSignal !== null) return `it ended by ${endSignal}`
  const known = EXIT_CODES[signed(code ?? 0)]
  const said = lastLines.filter(line => /\[error\]|\[fatal\]|^error|unknown option/i.test(line) && !isOfScreen(line))
    .map(withoutTime).slice(-2).join(' ')
  const words = [...new Set([known ?? await ownWords(output), said])].filter(text => text !== '').join(': ')
  return (words || `it ended with code ${code} and wrote no plate`).slice(0, LONGEST_REASON)
}

/**
 * OrcaSlicer or Bambu Studio by the command line that both have: they read presets as JSON, and write the archive that
 * printers take.
 */
function presetSlicer (program: PresetProgram, options: PresetSlicerOptions): Slicer {
  const { name, title } = program
  let found: Promise<FoundSlicer | undefined> | undefined

  async function find (): Promise<FoundSlicer | undefined> {
    const known = await (found ??= findProgram(program, options.program)).catch((error: unknown) => {
      found = undefined // a full disk, for a moment
      throw error
    })
    if (known === undefined || !existsSync(known.place)) found = undefined // it may be installed later
    return known
  }

  async function slice (job: EngineJob, { signal, onProgress }: EngineOptions): Promise<EngineResult> {
    const place = (await find())?.place
    if (place === undefined) throw new SlicerFailed(title, 'it is not there')
    if (job.presets === undefined) throw new SlicerFailed(title, 'it needs presets of OrcaSlicer or Bambu Studio')
    const { args, archive, output } = await prepare(job, job.presets)
    const pipe = await openProgressPipe(job.folder, signal, onProgress)
    const ended = await runProgram([place, ...args, ...pipe ? ['--pipe', pipe.path] : []], {
      ...options, folder: job.folder, signal, onLine () {}
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new SlicerFailed(title, (error as Error).message, { cause: error })
    }).finally(() => pipe?.close())
    const size = await stat(archive).then(({ size }) => size, () => 0)
    if (ended.code === 0 && size > 0) return { archive }
    throw new SlicerFailed(title, await reasonOf(ended, output))
  }

  return { name, title, takes: 'presets', find, slice }
}

export const orcaSlicer = (options: PresetSlicerOptions): Slicer => presetSlicer(ORCA, options)
export const bambuStudio = (options: PresetSlicerOptions): Slicer => presetSlicer(BAMBU, options)
