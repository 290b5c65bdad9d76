import swagger from '@fastify/swagger'
import { definePlugin } from '../../core/index.js'
import { API_PREFIX, renderFailure } from '../http/index.js'
import { documentRoute } from './document.js'
import { explorerPaths, serveExplorer } from './explorer.js'
import { asOpenApi3 } from './normalise.js'

const TAGS: Readonly<Record<string, string>> = {
  System: 'The service itself, its printers and sessions, log and preferences, state, streams, telemetry',
  Climate: 'Heaters, fans, light, active tool',
  'Print Control': 'Jobs, errors, speed, raw commands',
  'AMS & Filament': 'Loading and unloading, spools, drying',
  Hardware: 'Nozzles, detectors, options of the printer',
  Files: 'The SD card and the projects on it',
  Camera: 'Judging the job by what the camera sees'
}

/** How the token is sent, where there is one. */
const securityOf = (token: string | undefined) => token === undefined
  ? { security: [] }
  : {
      security: [{ token: [] as string[] }],
      components: { securitySchemes: { token: { type: 'http' as const, scheme: 'bearer' } } }
    }

/** Set up before the routes, which it collects; what it serves itself it can only read once they stand. */
export default definePlugin({
  name: 'openapi',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Description of the HTTP API and a page to explore it',
  provides: ['openapi'],
  uses: ['network'],
  encapsulate: false,
  contributes: { routes: [documentRoute] },
  async setup ({ app, kernel, services, provide }) {
    await app.register(swagger, {
      openapi: {
        openapi: '3.0.3',
        info: {
          title: 'prn API',
          version: kernel.version,
          description: 'Monitors and controls Bambu Lab 3D printers. Routes marked ⚠ act on a printer: ask the user first.',
          license: { name: 'MIT', url: 'https://opensource.org/license/mit' }
        },
        servers: [{ url: '/' }],
        tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
        paths: explorerPaths(),
        ...securityOf(kernel.config.api.token)
      },
      hideUntagged: true
    })

    const written = new Map<boolean, Buffer>()
    provide('openapi', {
      bytes (pretty) {
        const bytes = written.get(pretty) ??
          Buffer.from(JSON.stringify(asOpenApi3(app.swagger()), null, pretty ? 2 : undefined))
        written.set(pretty, bytes)
        return bytes
      }
    })
    await serveExplorer(app, API_PREFIX + documentRoute.path, (error, request, reply) =>
      renderFailure(error, request, reply, kernel, services.http.dialect))
  }
})
