import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Preset } from '../../core/index.js'
import daemon from '../../presets/daemon/index.js'
import { withApplication, type Application } from './application.js'
import { cliPage } from './cli.js'
import { configurationPage } from './configuration.js'
import { errorsPage } from './errors.js'
import { eventsPage } from './events.js'
import { extensionPointsPage } from './extension-points.js'
import { NOTE } from './folder.js'
import { httpPage, standalonePage } from './http.js'
import { readSources } from './source.js'
import { toolsPage } from './tools.js'

const STANDALONE = join(import.meta.dirname, '..', '..', 'presets', 'standalone', 'index.ts')

async function standalonePreset (): Promise<Preset | undefined> {
  if (!existsSync(STANDALONE)) return undefined
  return (await import(pathToFileURL(STANDALONE).href) as { default: Preset }).default
}

/** The reference, by name of the file. The same sources give the same text, on every machine. */
export async function printReference (): Promise<Readonly<Record<string, string>>> {
  const preset = await standalonePreset()
  return await withApplication(daemon, async first => preset === undefined
    ? await pagesOf(first, undefined)
    : await withApplication(preset, async second => await pagesOf(first, second)))
}

async function pagesOf (first: Application, second: Application | undefined):
Promise<Readonly<Record<string, string>>> {
  const sources = readSources()
  const all = second ? [first, second] : [first]
  const pages: Record<string, string> = {
    'http.md': httpPage(first),
    'tools.md': toolsPage(first),
    ...(second && { 'standalone.md': standalonePage(second) }),
    'errors.md': await errorsPage(all, sources),
    'events.md': eventsPage(first, second, sources),
    'configuration.md': configurationPage(all),
    'extension-points.md': extensionPointsPage(all, sources),
    'cli.md': cliPage()
  }
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, NOTE + text]))
}
