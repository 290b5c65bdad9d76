import daemon from '../../presets/daemon/index.js'
import standalone from '../../presets/standalone/index.js'
import { withApplication, type Application } from './application.js'
import { cliPage } from './cli.js'
import { configurationPage } from './configuration.js'
import { errorsPage } from './errors.js'
import { eventsPage } from './events.js'
import { extensionPointsPage } from './extension-points.js'
import { NOTE } from './folder.js'
import { httpPage, standalonePage } from './http.js'
import { licencesPage } from './licences.js'
import { readSources } from './source.js'
import { toolsPage } from './tools.js'

/** The reference, by name of the file. The same sources give the same text, on every machine. */
export async function printReference (): Promise<Readonly<Record<string, string>>> {
  return await withApplication(daemon, async first =>
    await withApplication(standalone, async second => await pagesOf(first, second)))
}

async function pagesOf (first: Application, second: Application): Promise<Readonly<Record<string, string>>> {
  const sources = readSources()
  const all = [first, second]
  const pages: Record<string, string> = {
    'http.md': httpPage(first),
    'tools.md': toolsPage(first),
    'standalone.md': standalonePage(second),
    'errors.md': await errorsPage(all, sources),
    'events.md': eventsPage(first, second, sources),
    'configuration.md': configurationPage(all),
    'extension-points.md': extensionPointsPage(all, sources),
    'cli.md': cliPage(),
    'licences.md': licencesPage()
  }
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, NOTE + text]))
}
