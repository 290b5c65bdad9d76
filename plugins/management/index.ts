import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import { createKeyedQueue, definePlugin, pluginFacts, type Kernel, type PluginFacts } from '../../core/index.js'
import { keepCatalogue, type CatalogueOptions } from './catalogue/refresh.js'
import { serveActs } from './routes.js'
import tools from './tools.js'

export { verifyPrinter, configFor } from './verify-printer.js'
export type { Candidate } from './verify-printer.js'
export { openCatalogue, VENDOR } from './catalogue/file.js'
export { prefixesOf } from './catalogue/refresh.js'
export { fetchCatalogue } from './catalogue/vendor.js'
export { discover } from './discovery.js'
export { MANAGEMENT_PATH } from './routes.js'
export type { Line } from './routes.js'
export { readAnnouncement } from './ssdp.js'
export type { Discovered } from './ssdp.js'
export { describeProbe } from './describe-probe.js'
export type { ProbeSummary } from './describe-probe.js'

declare module 'prnd' {
  interface Services {
    management: {
      /** What is done to the configuration of one printer happens one after the other. */
      inTurn<T> (printer: string, work: () => Promise<T>): Promise<T>
      readonly discoveryPorts: { readonly main: number, readonly old: number }
      /** How long a printer is given to send its first report. */
      readonly waits: { readonly withinMs: number }
    }
  }
}

const Port = (preset: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 65_535, default: preset, description })

const Options = Type.Object({
  discoveryPort: Port(2021, 'UDP port that printers announce themselves on'),
  oldDiscoveryPort: Port(1990, 'The same for the first firmware'),
  reportSeconds: Type.Number({ default: 15, exclusiveMinimum: 0, description: 'Longest wait for a first report' }),
  catalog: Type.Object({
    refresh: Type.Boolean({ default: false, description: "Fetch the vendor's fault texts by itself, once a week" }),
    language: Type.String({
      default: 'en',
      pattern: '^[a-z]{2}(-[a-z]{2})?$',
      description: 'Language of these texts, as the vendor has them: `en`, `de`, `zh-cn`'
    }),
    url: Type.Optional(Type.String({ description: 'Where to fetch them from instead' }))
  }, { additionalProperties: false, default: {} })
})

export const PLUGINS_PATH = '/plugins'

/** A plugin from outside that the service runs without. */
export interface SkippedFacts { readonly plugin: string, readonly code: string, readonly message: string }

/** What `PLUGINS_PATH` answers. */
export interface PluginReport { readonly plugins: readonly PluginFacts[], readonly skipped: readonly SkippedFacts[] }

const reportOf = (kernel: Kernel): PluginReport => ({
  plugins: pluginFacts(kernel),
  skipped: kernel.skipped.map(({ plugin, error: { code, message } }) => ({ plugin, code, message }))
})

/** What runs here and what went wrong in it. It belongs to no documented interface, so it lies beside the API. */
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
    const { discoveryPort: main, oldDiscoveryPort: old, reportSeconds, catalog } = options
    const queue = createKeyedQueue()
    provide('management', {
      inTurn: (printer, work) => queue.run(printer.toLowerCase(), work),
      discoveryPorts: { main, old },
      waits: { withinMs: reportSeconds * 1000 }
    })
    serveActs(app, kernel)
    servePlugins(app, kernel)
    await keepCatalogue(kernel, catalog as CatalogueOptions, { log, signal, onReady })
  }
})
