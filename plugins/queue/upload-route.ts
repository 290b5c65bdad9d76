import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { API_PREFIX, BadInput, nameOfCaller, recorded, type Kernel } from '../../core/index.js'
import { plainName } from '../files/index.js'
import { howToSlice } from '../projects/index.js'
import { LibraryFull, NotSliced, SlicedFileTooLarge } from './errors.js'
import { FileView } from './schemas.js'

const PATH = `${API_PREFIX}/queue/files`
const HOW = 'Send the file itself as the body, with content-type application/octet-stream'

interface UploadRequest { readonly Querystring: { readonly filename?: string } }

/** Streams uploads of sliced files straight to the library on disk. */
export async function serveFileUpload (app: FastifyInstance, kernel: Kernel, fileMiB: number): Promise<void> {
  const { services } = kernel
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(['application/octet-stream', 'model/3mf'],
      (_request, body, done) => { done(null, body) })
    scope.addContentTypeParser('*', (_request, _body, done) => { done(new BadInput(HOW)) })
    scope.post<UploadRequest>(PATH, {
      bodyLimit: fileMiB * 1024 ** 2 + 1,
      config: {
        openapi: {
          operationId: 'postQueueFiles',
          summary: '⚠ Store a sliced file in the library',
          description: HOW,
          tags: ['Queue'],
          consumes: ['application/octet-stream'],
          querystring: Type.Object({ filename: Type.String({ description: 'Its name, ending in .3mf' }) }),
          body: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
          response: {
            ...services.http.failures({ method: 'POST', errors: [NotSliced, LibraryFull, SlicedFileTooLarge] }, PATH),
            200: { description: 'Stored', content: { 'application/json': { schema: FileView } } }
          }
        }
      }
    }, async (request, reply) => {
      const name = plainName(request.query.filename ?? '')
      if (name === undefined) throw new BadInput('filename must be a plain name that ends in .3mf')
      const problem = howToSlice(name)
      if (problem !== undefined) throw new BadInput(problem)
      const { body } = request
      if (!(body instanceof Readable)) throw new BadInput(HOW) // a request without a body
      const by = nameOfCaller({ surface: 'http', caller: services.http.callerOf(request) })
      const { queue } = services
      const file = await recorded(kernel, 'queue.storeFile', { surface: 'http', caller: services.http.callerOf(request) },
        () => queue.storeFile(body, name, by, kernel.signal))
      queue.runner.wake()
      return services.http.sendJson(reply, queue.fileView(file))
    })
  })
}
