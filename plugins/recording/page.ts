import type { FastifyInstance } from 'fastify'
import type { Kernel } from '../../core/index.js'
import { fillPage, findPageFiles, readPageFile, servePageFiles } from '../http/index.js'

const NAME = 'recording'
const PATH = '/recordings'

/** Files of its own, and the videos. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; media-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** The page with all recordings; its scripts fill it. */
export function servePage (app: FastifyInstance, { printers, redact }: Kernel): void {
  const files = findPageFiles(NAME)
  const folder = `${PATH.slice(1)}/page-${files.mark}`
  app.get(PATH, { schema: { hide: true } }, (_request, reply) => reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'referrer-policy': 'same-origin', // our own writes are told by it
    'x-content-type-options': 'nosniff'
  }).send(fillPage(readPageFile(NAME, 'recordings.html'), { folder, printers: redact(JSON.stringify(printers.names)) })))
  servePageFiles(app, `/${folder}`, files)
}
