import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { BadInput } from '../../../core/index.js'
import type { ImportedProfileView } from '../../../plugins/slicing/index.js'
import { printable, table } from '../table.js'
import { connect, screen, type Api, type Screen } from './jobs.js'

interface Options { readonly config?: string, readonly printer?: string }

export interface ImportOptions extends Options {
  readonly name?: string
  readonly printerPreset?: string
  readonly printPreset?: string
  readonly filamentPreset?: string
}

interface Profiles { readonly imported: readonly (ImportedProfileView & { readonly problem: string })[] }

const figures = (profile: ImportedProfileView): string =>
  `${profile.material}, layers of ${profile.layer_mm} mm, nozzle ${profile.nozzle_mm} mm, ` +
  `${profile.nozzle_c} and ${profile.bed_c} °C`

/** Sends the file of another slicer's settings to the service. Nothing is sent to a printer. */
export async function importFile (api: Api, { say }: Screen, path: string, options: ImportOptions): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new BadInput(`${path} cannot be read: ${(error as Error).message}`)
  })
  const { printerPreset, printPreset, filamentPreset, name = basename(path).replace(/\.[a-z0-9]+$/i, '') } = options
  const profile = await api.call<ImportedProfileView>('POST', '/api/slicing/profiles', {
    name,
    text,
    ...printerPreset !== undefined && { printer_preset: printerPreset },
    ...printPreset !== undefined && { print_preset: printPreset },
    ...filamentPreset !== undefined && { filament_preset: filamentPreset }
  })
  say(`${printable(profile.name)}: ${printable(figures(profile))}`)
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

export async function importProfile (path: string, options: ImportOptions): Promise<void> {
  await importFile(await connect(options), screen(), path, options)
}

export async function remove (name: string, options: Options): Promise<void> {
  await (await connect(options)).call('DELETE', `/api/slicing/profiles/${encodeURIComponent(name)}`)
  console.log(`${printable(name)} was removed.`)
}
