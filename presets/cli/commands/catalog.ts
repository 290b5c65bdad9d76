import { defaultDataDir, readConfig } from '../../../core/index.js'
import { fetchCatalogue, openCatalogue, prefixesOf, VENDOR } from '../../../plugins/management/index.js'

interface Options { readonly config?: string, readonly url?: string, readonly language?: string }

/** Fetches the vendor's fault texts; a running service uses them after its next start. */
export async function update ({ config: file, ...options }: Options): Promise<void> {
  const { config } = await readConfig(file)
  const { catalog = {} } = (config.plugins.management || {}) as { catalog?: { url?: string, language?: string } }
  const { url = catalog.url ?? VENDOR, language = catalog.language ?? 'en' } = options
  const store = await openCatalogue(config.dataDir ?? defaultDataDir(), message => console.error(`Warning: ${message}`))
  const catalogue = await fetchCatalogue({
    url,
    language,
    prefixes: prefixesOf(config.printers.map(({ serial }) => serial.trim().toUpperCase())),
    signal: new AbortController().signal,
    now: Date.now,
    onStep: message => console.error(`${message} …`)
  })
  await store.set(catalogue)
  const texts = Object.keys(catalogue.texts).length
  console.log(`${texts} fault texts in ${store.path}; a running service uses them after its next start.`)
}
