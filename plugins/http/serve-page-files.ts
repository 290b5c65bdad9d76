import { dirname, extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PAGE_FILE_TYPES, type PageFiles } from '../../core/index.js'

const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' } as const
const CACHING = { maxAge: '1y', immutable: true } as const

/** Lets routes of a scope send files, with ranges: `reply.type('…').sendFile(name, folder)`. */
export async function enableFiles (scope: FastifyInstance, caching: object = { cacheControl: false }): Promise<void> {
  const { default: fastifyStatic } = await import('@fastify/static')
  await scope.register(fastifyStatic, { serve: false, contentType: false, ...caching })
}

interface Asked { readonly Params: { readonly name: string } }

/** Serves the files of pages, each below its own path, which should contain a hash of the files. */
export function servePageFiles (app: FastifyInstance, pages: ReadonlyMap<string, PageFiles>): void {
  void app.register(async scope => {
    await enableFiles(scope, CACHING)
    for (const [path, { paths }] of pages) {
      scope.get<Asked>(`${path}/:name`, { schema: { hide: true } }, ({ params: { name } }, reply) => {
        const file = paths.get(name)
        if (file === undefined) return reply.callNotFound()
        return reply.type(PAGE_FILE_TYPES[extname(name)] ?? '').headers(HEADERS).sendFile(name, dirname(file))
      })
    }
  })
}
