import type { FastifyInstance } from 'fastify'
import { isAbsolute } from 'node:path'
import { Type } from 'typebox'
import { BadConfig, definePlugin, route, type Kernel } from '../../core/index.js'
import { acceptTls } from './accept-tls.js'
import { Certificates, checkFiles } from './certificates.js'
import { readEncryption, ROOT_PATH } from './operations.js'
import { encryptionPage } from './pages.js'

export { storedRoot } from './certificates.js'

declare module 'prnd' {
  interface Services {
    /** HTTPS on the port of the API. */
    https: { readonly certificates: Certificates, readonly redirects: boolean }
  }
}

const Options = Type.Object({
  redirect: Type.Boolean({
    default: false,
    description: 'Pages that other devices open without encryption lead to the encrypted ones; the API stays as it is'
  }),
  names: Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]{1,253}$' }), {
    default: [], description: 'Further names of this machine for its certificate, beside `api.allowedHosts`'
  }),
  certificate: Type.Optional(Type.String({
    description: 'Path of a certificate of your own, with its chain, PEM; renewed files are read by themselves'
  })),
  key: Type.Optional(Type.String({ description: 'Path of its private key, PEM' }))
})

/** Where a device that does not trust the root yet learns how to. */
const ALWAYS_PLAIN: ReadonlySet<string | undefined> = new Set(['/encryption', ROOT_PATH])

function leadToEncrypted (app: FastifyInstance, { isFromHere }: Kernel['services']['http']): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { method, protocol, headers: { accept = '', host = '' }, routeOptions: { url } } = request
    const isPage = method === 'GET' && accept.includes('text/html') && !ALWAYS_PLAIN.has(url)
    if (protocol === 'https' || !isPage || isFromHere(request)) return next()
    reply.header('cache-control', 'no-store').redirect(`https://${host}${request.url}`, 307)
  })
}

function serveRoot (app: FastifyInstance, certificates: Certificates): void {
  const options = { schema: { hide: true } as object, config: { isOpen: true } }
  app.get(ROOT_PATH, options, async (_request, reply) => reply.type('application/x-x509-ca-cert').headers({
    'content-disposition': 'attachment; filename="prnd-root.crt"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff'
  }).send((await certificates.authority()).certificate))
}

function filesIn ({ certificate, key }: { certificate?: string, key?: string }) {
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined || key === undefined) throw new BadConfig('plugins.https: certificate and key go together')
  const relative = [certificate, key].find(path => !isAbsolute(path))
  if (relative !== undefined) throw new BadConfig(`plugins.https: '${relative}' must be complete, such as /etc/ssl/printers.pem`)
  return { certificate, key }
}

/** Encrypted connections on the port of the API, with a certificate of this service or of the user's own. */
export default definePlugin({
  name: 'https',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'HTTPS on the port of the API, with a root certificate to download',
  needs: ['http'],
  provides: ['https'],
  uses: ['network', 'disk'],
  encapsulate: false, // also for the pages of other plugins
  options: Options,
  contributes: {
    pages: [encryptionPage],
    routes: [route(readEncryption, { method: 'GET', path: '/https', tag: 'System' })]
  },
  async setup ({ app, kernel, options, log, provide }) {
    const { dataDir, now, config: { api: { allowedHosts } } } = kernel
    const files = filesIn(options)
    if (files !== undefined) await checkFiles(files)
    const names = [...new Set([...options.names, ...allowedHosts].map(name => name.toLowerCase()))]
    const certificates = new Certificates({ dataDir, names, files, now, warn: message => { log.warn(message) } })
    provide('https', { certificates, redirects: options.redirect })
    acceptTls(app.server, {
      contextFor: address => certificates.contextFor(address),
      onError: err => { log.error({ err }, 'there is no certificate for an encrypted connection') }
    })
    if (files === undefined) serveRoot(app, certificates)
    if (options.redirect) leadToEncrypted(app, kernel.services.http)
  }
})
