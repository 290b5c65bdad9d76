import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PAGE_FILE_TYPES, type PageFiles } from '../../core/index.js'
import { sendBytes } from './send-bytes.js'

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin'
} as const

/** A page consists of many files of a few kB each. */
const LARGE_BYTES = 1_024
/** Already compressed. */
const PACKED = /\.(woff2|png|webp|jpg|wasm)$/

/** Lets routes of a scope send files, with ranges: `reply.type('…').sendFile(name, folder)`. */
export async function enableFiles (scope: FastifyInstance): Promise<void> {
  const { default: fastifyStatic } = await import('@fastify/static')
  await scope.register(fastifyStatic, { serve: false, contentType: false, cacheControl: false })
}

interface Asked { readonly Params: { readonly name: string } }

/** Serves the files of pages, each below its own path, which should contain a hash of the files. */
export function servePageFiles (app: FastifyInstance, pages: ReadonlyMap<string, PageFiles>): void {
  const read = new Map<string, Promise<Buffer>>()
  const bytesOf = (file: string): Promise<Buffer> => {
    const known = read.get(file) ?? readFile(file)
    read.set(file, known)
    known.catch(() => read.delete(file))
    return known
  }
  for (const [path, { paths }] of pages) {
    app.get<Asked>(`${path}/:name`, { schema: { hide: true } }, async ({ params: { name } }, reply) => {
      const file = paths.get(name)
      if (file === undefined) return reply.callNotFound()
      const bytes = await bytesOf(file)
      reply.type(PAGE_FILE_TYPES[extname(name)] ?? '').headers(HEADERS)
      return sendBytes(reply, bytes, { isTagged: true, largeBytes: PACKED.test(name) ? Infinity : LARGE_BYTES })
    })
  }
}
