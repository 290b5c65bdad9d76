import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { API_PREFIX, BadInput, nameOfCaller, NotFound, recorded, type Kernel } from '../../core/index.js'
import { plainName } from '../files/index.js'
import { NoSlicingJob, SlicingFull } from './errors.js'
import { BadModel, ModelsBusy, ModelTooLarge } from './models/index.js'
import { modelView } from './operations.js'
import { ModelView } from './schemas.js'

const MODELS_PATH = `${API_PREFIX}/slicing/models`
const PLATE_PATH = `${API_PREFIX}/slicing/jobs/:id/plate`
const HOW = 'Send the model itself as the body, with content-type application/octet-stream'

/** Signs that file systems do not allow in names, but people may have in theirs. */
const ODD = /[<>:"|?*]/g

interface UploadRequest { readonly Querystring: { readonly filename?: string } }

/** Streams uploads of models to the store, and answers with what is in them. */
export async function serveModelUpload (app: FastifyInstance, kernel: Kernel, modelMiB: number): Promise<void> {
  const { services } = kernel
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(['application/octet-stream', 'model/3mf', 'model/stl', 'model/obj'],
      (_request, body, done) => { done(null, body) })
    scope.addContentTypeParser('*', (_request, _body, done) => { done(new BadInput(HOW)) })
    scope.post<UploadRequest>(MODELS_PATH, {
      bodyLimit: modelMiB * 1024 ** 2 + 1,
      config: {
        openapi: {
          operationId: 'postSlicingModels',
          summary: '⚠ Store a model, and check it',
          description: HOW,
          tags: ['Slicing'],
          consumes: ['application/octet-stream'],
          querystring: Type.Object({ filename: Type.String({ description: 'Its name, ending in .stl, .obj or .3mf' }) }),
          body: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
          response: {
            ...services.http.failures({ method: 'POST', errors: [BadModel, ModelTooLarge, ModelsBusy, SlicingFull] }, MODELS_PATH),
            200: { description: 'Stored', content: { 'application/json': { schema: ModelView } } }
          }
        }
      }
    }, async (request, reply) => {
      const name = plainName((request.query.filename ?? '').replaceAll(ODD, '-'))
      if (name === undefined) throw new BadInput('filename must be a name that ends in .stl, .obj or .3mf')
      const { body } = request
      if (!(body instanceof Readable)) throw new BadInput(HOW) // a request without a body
      const from = { surface: 'http', caller: services.http.callerOf(request) }
      const model = await recorded(kernel, 'slicing.addModel', from,
        () => services.slicing.models.add(body, name, nameOfCaller(from), kernel.signal))
      return services.http.sendJson(reply, modelView(model))
    })
  })
}

interface PlateRequest { readonly Params: { readonly id: string } }

/** Serves the plates that were sliced, as files to save. */
export function servePlates (app: FastifyInstance, { services, optional }: Kernel): void {
  app.get<PlateRequest>(PLATE_PATH, {
    config: {
      openapi: {
        operationId: 'getSlicingJobPlate',
        summary: 'The sliced file of a plate',
        tags: ['Slicing'],
        params: Type.Object({ id: Type.String() }),
        response: {
          ...services.http.failures({ method: 'GET', errors: [NoSlicingJob, NotFound] }, PLATE_PATH),
          200: { description: 'A .gcode.3mf', content: { 'model/3mf': { schema: { type: 'string', format: 'binary' } } } }
        }
      }
    }
  }, async ({ params: { id } }, reply) => {
    const { result } = services.slicing.jobs.find(id)
    if (result === null || !optional.queue) throw new NotFound('The plate is not sliced')
    const path = await optional.queue.library.verified(result.file)
    return await reply.type('model/3mf').headers({
      'content-disposition': `attachment; filename="${result.name.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}"`,
      'x-content-type-options': 'nosniff'
    }).send(createReadStream(path))
  })
}
