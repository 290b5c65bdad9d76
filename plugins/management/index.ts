import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import { createKeyedQueue, definePlugin, pluginFacts, type Kernel, type PluginFacts } from '../../core/index.js'
import type { DetectPorts } from './detect-printer.js'
import { refreshCatalogue, type CatalogueOptions } from './catalogue/refresh.js'
import { serveActs } from './routes.js'
import tools from './tools.js'

export { addPrinter, updateCredentials } from './operations/credentials.js'
export { detectAtAddress } from './operations/detect.js'
export { discoverPrinters } from './operations/discovery.js'
export { importPrinters } from './operations/import.js'
export { listConfigured } from './operations/list.js'
export { renameConfigured } from './operations/rename.js'
export { removePrinter } from './operations/sessions.js'
export { tryPrinter } from './operations/try.js'
export { testPrinter } from './test-printer.js'
export { readPrinterList } from './printer-list.js'
export type { Listed } from './printer-list.js'
export { verifyPrinter, configFor } from './verify-printer.js'
export type { Candidate } from './verify-printer.js'
export { openCatalogue, VENDOR } from './catalogue/catalogue-store.js'
export { prefixesOf } from './catalogue/refresh.js'
export { fetchCatalogue } from './catalogue/fetch-catalogue.js'
export { detectPrinter, DETECT_PORTS, type DetectPorts } from './detect-printer.js'
export { discover } from './discovery.js'
export { MANAGEMENT_PATH } from './routes.js'
export type { ResultLine } from './routes.js'
export { readAnnouncement } from './announcement.js'
export type { Discovered } from './announcement.js'
export { describeProbe } from './describe-probe.js'
export type { ProbeSummary } from './describe-probe.js'

declare module 'prnd' {
  interface Services {
    management: {
      /** Runs changes to the configuration of one printer in sequence. */
      inTurn<T> (printer: string, work: () => Promise<T>): Promise<T>
      readonly discoveryPorts: { readonly main: number, readonly old: number }
      readonly detectPorts: DetectPorts
      /** Time limit for the first report of a printer. */
      readonly waits: { readonly withinMs: number }
    }
  }
}

const Port = (preset: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 65_535, default: preset, description })

const Options = Type.Object({
  discoveryPort: Port(2021, 'UDP port that printers announce themselves on'),
  oldDiscoveryPort: Port(1990, 'The same for the first firmware'),
  detectPort: Port(3000, 'TCP port on which a printer says which it is'),
  detectTlsPort: Port(3002, 'The same over TLS'),
  reportSeconds: Type.Number({ default: 15, exclusiveMinimum: 0, description: 'Longest wait for a first report' }),
  catalog: Type.Object({
    refresh: Type.Boolean({ default: false, description: "Fetch the vendor's fault texts automatically, once a week" }),
    language: Type.String({
      default: 'en',
      pattern: '^[a-z]{2}(-[a-z]{2})?$',
      description: 'Language of these texts, as named by the vendor: `en`, `de`, `zh-cn`'
    }),
    url: Type.Optional(Type.String({ description: 'Where to fetch them from instead' }))
  }, { additionalProperties: false, default: {} })
})

export const PLUGINS_PATH = '/plugins'

/** An outside plugin that was skipped. */
export interface SkippedFacts { readonly plugin: string, readonly code: string, readonly message: string }

/** The answer of `PLUGINS_PATH`. */
export interface PluginReport { readonly plugins: readonly PluginFacts[], readonly skipped: readonly SkippedFacts[] }

const reportOf = (kernel: Kernel): PluginReport => ({
  plugins: pluginFacts(kernel),
  skipped: kernel.skipped.map(({ plugin, error: { code, message } }) => ({ plugin, code, message }))
})

/** Serves the loaded and the skipped plugins. Undocumented, so outside of `/api`. */
function servePlugins (app: FastifyInstance, kernel: Kernel): void {
  app.get(PLUGINS_PATH, { schema: { hide: true } as object }, async (_request, reply) =>
    kernel.services.http.sendJson(reply, reportOf(kernel)))
}

export default definePlugin({
  name: 'management',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Which printers are configured, discovery, fault texts',
  needs: ['http'],
  provides: ['management'],
  uses: ['network', 'disk'],
  options: Options,
  contributes: { tools },
  async setup ({ app, kernel, options, log, signal, provide, onReady }) {
    const { discoveryPort: main, oldDiscoveryPort: old, detectPort, detectTlsPort, reportSeconds, catalog } = options
    const queue = createKeyedQueue()
    provide('management', {
      inTurn: (printer, work) => queue.run(printer.toLowerCase(), work),
      discoveryPorts: { main, old },
      detectPorts: { plain: detectPort, tls: detectTlsPort },
      waits: { withinMs: reportSeconds * 1000 }
    })
    serveActs(app, kernel)
    servePlugins(app, kernel)
    await refreshCatalogue(kernel, catalog as CatalogueOptions, { log, signal, onReady })
  }
})
