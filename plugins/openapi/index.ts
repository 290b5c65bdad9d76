import type { FastifyInstance, RouteOptions } from 'fastify'
import { API_PREFIX, definePage, definePlugin, onceUnlessFailed } from '../../core/index.js'
import { describedAs, renderFailure } from '../http/index.js'
import { documentRoute } from './document.js'
import { PAGE, pagePaths, servePage } from './page.js'
import { texts } from './texts/index.js'

const TAGS: Readonly<Record<string, string>> = {
  System: 'The service itself, its printers and sessions, log and preferences, state, streams, telemetry',
  Climate: 'Heaters, fans, light, active tool',
  Motion: 'Moving, homing and feeding filament by hand',
  'Print Control': 'Jobs, errors, speed, raw commands',
  'AMS & Filament': 'Loading and unloading, spools, drying',
  Hardware: 'Nozzles, detectors, options of the printer',
  Files: 'The SD card and the projects on it',
  Camera: 'Judging the job by its camera pictures',
  History: 'What was printed: records, search, notes, statistics',
  Queue: 'What is printed next: jobs, files, clear plates',
  Energy: 'Plugs of printers, their energy, and its price',
  Slicing: 'From models to plates',
  'Plate change': 'Ejectors and plate changers between two prints',
  Spools: 'Location, remaining filament and consumption',
  Drying: 'Plans that dry AMS units by themselves',
  Rules: 'When, if, then: what happens without a person',
  Maintenance: 'What wears printers, what is due, what was done',
  Night: 'Quiet hours, the morning report, the watch over alerts',
  Messages: 'Alerts that are sent to people and programs',
  People: 'Users, their keys, and the audit log',
  Setup: 'Setting up printers, and who reaches the service',
  'Home Assistant': 'The broker that Home Assistant listens to',
  Backup: 'Backups to download',
  Relay: 'Relayed printers, for slicers'
}

/** How the token is sent, if one is set. */
const securityOf = (token: string | undefined) => token === undefined
  ? { security: [] }
  : {
      security: [{ token: [] as string[] }],
      components: { securitySchemes: { token: { type: 'http' as const, scheme: 'bearer' } } }
    }

/** The explorer within the other pages; the one at `/api/docs` stands alone. */
const page = definePage({
  id: 'api',
  path: '/explorer',
  icon: 'code',
  order: 85,
  within: 'settings',
  key: 'x',
  texts,
  content: { files: 'openapi', styles: ['frame.css'] }
})

/** Set up before the routes, to collect them. The generator is large and loaded on the first request. */
export default definePlugin({
  name: 'openapi',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Description of the HTTP API and a page to explore it',
  provides: ['openapi'],
  uses: ['network'],
  encapsulate: false,
  contributes: { routes: [documentRoute], pages: [page] },
  async setup ({ app, kernel, provide, onClose }) {
    const routes: RouteOptions[] = []
    app.addHook('onRoute', route => {
      if (route.method !== 'HEAD') routes.push({ ...route })
    })
    const described = () => routes.flatMap(route => {
      const schema = describedAs(route.config, route.schema)
      return schema === undefined || schema.hide === true ? [] : [{ ...route, schema }]
    })
    let explorer: FastifyInstance | undefined
    const explore = onceUnlessFailed(async () => {
      const { createExplorer } = await import('./explorer.js')
      explorer = await createExplorer({
        routes: described(),
        schemas: app.getSchemas(),
        page: PAGE,
        document: API_PREFIX + documentRoute.path,
        openapi: {
          openapi: '3.0.3',
          info: {
            title: 'prnd API',
            version: kernel.version,
            description: 'Monitors and controls Bambu Lab 3D printers. Routes marked ⚠ change something, on a printer or in this service: ask the user first.',
            license: { name: 'MIT', url: 'https://opensource.org/license/mit' }
          },
          servers: [{ url: '/' }],
          tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
          paths: pagePaths(),
          ...securityOf(kernel.config.api.token)
        }
      })
      return explorer
    })

    const write = async (pretty: boolean) => {
      const [{ finished }, ready] = await Promise.all([import('./explorer.js'), explore()])
      return Buffer.from(JSON.stringify(finished(ready.swagger()), null, pretty ? 2 : undefined))
    }
    const plain = onceUnlessFailed(() => write(false))
    const indented = onceUnlessFailed(() => write(true))
    provide('openapi', { bytes: pretty => pretty ? indented() : plain() })
    await servePage(app, explore, (error, request, reply) => renderFailure(error, request, reply, kernel))
    onClose(async () => { await explorer?.close() })
  }
})
