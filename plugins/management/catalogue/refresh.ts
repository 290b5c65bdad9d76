import type { FastifyBaseLogger } from 'fastify'
import type { Kernel } from '../../../core/index.js'
import { applyCatalogue, openCatalogue, VENDOR } from './catalogue-store.js'
import { fetchCatalogue } from './fetch-catalogue.js'

export interface CatalogueOptions {
  /** Fetch automatically when outdated. */
  readonly refresh: boolean
  readonly language: string
  readonly url?: string
}

interface Deps {
  readonly log: FastifyBaseLogger
  readonly signal: AbortSignal
  readonly onReady: (fn: () => void) => void
}

const HOUR_MS = 3_600_000
const OLD_AFTER_MS = 7 * 24 * HOUR_MS
const CHECK_EVERY_MS = 6 * HOUR_MS

/** The model prefixes of the configured printers; the most common one if there are none. */
export function prefixesOf (serials: readonly string[]): string[] {
  const prefixes = new Set(serials.map(serial => serial.slice(0, 3)).filter(prefix => /^[0-9A-Z]{3}$/.test(prefix)))
  return prefixes.size === 0 ? ['00M'] : [...prefixes]
}

/** Applies the stored texts, and fetches them again from time to time if enabled. */
export async function refreshCatalogue (kernel: Kernel, { refresh, language, url = VENDOR }: CatalogueOptions,
  { log, signal, onReady }: Deps): Promise<void> {
  const store = await openCatalogue(kernel.dataDir, message => log.warn(message))
  applyCatalogue(kernel.hms, store.get())
  if (!refresh) return

  async function renew (): Promise<void> {
    const { now, printers } = kernel
    if (now() - store.get().fetchedAt < OLD_AFTER_MS && store.get().language === language) return
    try {
      const prefixes = prefixesOf(printers.names.map(name => printers.config(name)?.serial ?? ''))
      await store.set(await fetchCatalogue({ url, language, prefixes, signal, now }))
      applyCatalogue(kernel.hms, store.get())
      log.info({ texts: Object.keys(store.get().texts).length }, 'fault texts fetched')
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'fault texts not fetched; the current ones stay in use')
    }
  }

  onReady(() => {
    void renew()
    const timer = setInterval(() => { void renew() }, CHECK_EVERY_MS).unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  })
}
