import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { definePlugin } from '../../core/index.js'
import { asOpenApi3 } from './normalise.js'

const PATH = '/api/openapi.json'
const YES = new Set(['true', '1', 'yes'])

const TAGS = ['System', 'Climate', 'Print Control', 'AMS & Filament', 'Hardware', 'Files', 'Camera']

export default definePlugin({
  name: 'openapi',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Description of the HTTP API and a page to explore it',
  uses: ['network'],
  encapsulate: false,
  async setup ({ app, kernel }) {
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
        tags: TAGS.map(name => ({ name })),
        security: []
      },
      hideUntagged: true
    })

    // The routes stand once the service is ready: the document is written once, in both forms.
    let plain: Buffer | undefined
    let pretty: Buffer | undefined
    app.get(PATH, { schema: { hide: true } }, (request, reply) => {
      const { pretty: wanted = '' } = request.query as { pretty?: string }
      const document = () => asOpenApi3(app.swagger())
      const bytes = YES.has(wanted.toLowerCase())
        ? pretty ??= Buffer.from(JSON.stringify(document(), null, 2))
        : plain ??= Buffer.from(JSON.stringify(document()))
      return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(bytes)
    })

    await app.register(swaggerUi, {
      routePrefix: '/api/docs',
      uiConfig: { url: PATH, docExpansion: 'none', tryItOutEnabled: false },
      staticCSP: true
    })
  }
})
