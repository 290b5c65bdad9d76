import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { BadInput } from '../../../core/index.js'
import {
  isBundle, openPresetFolders, presetsIn, presetTexts, readPresets, type ImportedProfileView
} from '../../../plugins/slicing/index.js'
import { printable, table } from '../table.js'
import { connect, screen, type Api, type Screen } from './jobs.js'

interface Options { readonly config?: string, readonly printer?: string }

export interface ImportOptions extends Options {
  readonly name?: string
  readonly printerPreset?: string
  readonly printPreset?: string
  readonly filamentPreset?: string
}

/** Characters, as the service takes them. */
const LONGEST_NAME = 80

interface Profiles { readonly imported: readonly (ImportedProfileView & { readonly problem: string })[] }

const figures = (profile: ImportedProfileView): string =>
  `${profile.material}, layers of ${profile.layer_mm} mm, nozzle ${profile.nozzle_mm} mm, ` +
  `${profile.nozzle_c} and ${profile.bed_c} °C`

async function contentOf (path: string): Promise<Buffer> {
  return await readFile(path).catch((error: unknown) => {
    throw new BadInput(`${path} cannot be read: ${(error as Error).message}`)
  })
}

const isOfPresets = (content: Buffer): boolean =>
  isBundle(content) || /^\uFEFF?\s*\{/.test(content.toString('utf8', 0, 64))

/**
 * What is imported, as the service wants it. Presets are put together here, where the desktop slicer has what they
 * inherit.
 */
async function importBody (
  paths: readonly string[], { printerPreset: printer, printPreset: print, filamentPreset: filament }: ImportOptions,
  find: ReturnType<typeof openPresetFolders>
): Promise<object> {
  const contents = []
  for (const path of paths) contents.push(await contentOf(path))
  const [first] = contents
  if (first !== undefined && !contents.some(isOfPresets)) {
    if (contents.length > 1) throw new BadInput('A configuration of PrusaSlicer is one file: import them one by one')
    return {
      text: first.toString('utf8'),
      ...printer !== undefined && { printer_preset: printer },
      ...print !== undefined && { print_preset: print },
      ...filament !== undefined && { filament_preset: filament }
    }
  }
  const files = (await Promise.all(contents.map(presetsIn))).flat()
  return { files: presetTexts(readPresets(files, { printer, print, filament }, find)) }
}

/** Of a single file; otherwise the service takes the name from what is in them. */
const nameFor = ([path, ...others]: readonly string[]): string | undefined =>
  path === undefined || others.length > 0 ? undefined : basename(path).replace(/\.[a-z0-9_]+$/i, '').slice(0, LONGEST_NAME)

/**
 * Sends settings of another slicer to the service. Nothing is sent to a printer.
 * @param find looks for presets that the files do not have
 */
export async function importFiles (
  api: Api, { say }: Screen, paths: readonly string[], options: ImportOptions, find = openPresetFolders()
): Promise<void> {
  const { printerPreset, printPreset, filamentPreset, name = nameFor(paths) } = options
  if (paths.length === 0 && [printerPreset, printPreset, filamentPreset].includes(undefined)) {
    throw new BadInput('Name files, or presets of your slicer with --printer-preset, --print-preset and --filament-preset')
  }
  const profile = await api.call<ImportedProfileView>('POST', '/api/slicing/profiles', {
    ...name !== undefined && { name }, ...await importBody(paths, options, find)
  })
  say(`${printable(profile.name)}: ${printable(figures(profile))}`)
  if (profile.kind === 'presets') say('  OrcaSlicer or Bambu Studio slices with it, on the computer of the service.')
  for (const key of profile.changed) say(`  ${printable(key)} was left out or changed: it is not safe here.`)
  say(`Use it with: prnd slice FILE --profile ${printable(JSON.stringify(profile.name))}`)
}

/** Imported profiles, and whether they suit a printer. */
export async function showProfiles (api: Api, { say, colours }: Screen, printer?: string): Promise<void> {
  const { imported } = await api.call<Profiles>('GET', '/api/slicing/profiles', printer === undefined ? undefined : { printer })
  if (imported.length === 0) return say('No profile was imported yet: prnd profiles import FILE')
  const rows = imported.map(one => [
    printable(one.name), printable(figures(one)),
    one.problem === '' ? { text: 'suits', tone: 'good' as const } : { text: printable(one.problem), tone: 'warn' as const }
  ])
  for (const line of table(rows, colours)) say(line)
}

export async function list ({ printer, ...options }: Options): Promise<void> {
  await showProfiles(await connect(options), screen(), printer)
}

export async function importProfile (paths: readonly string[], options: ImportOptions): Promise<void> {
  await importFiles(await connect(options), screen(), paths, options)
}

export async function remove (name: string, options: Options): Promise<void> {
  await (await connect(options)).call('DELETE', `/api/slicing/profiles/${encodeURIComponent(name)}`)
  console.log(`${printable(name)} was removed.`)
}
