import type { FastifyInstance } from 'fastify'
import { API_PREFIX, BadInput, recorded, sees, type Kernel } from '../../core/index.js'
import { PHOTO_ERRORS, seenDone } from './operations.js'
import { MOST_PHOTO_BYTES } from './photos.js'
import { DoneView } from './schemas.js'
import { doneView } from './views.js'

const PATH = `${API_PREFIX}/maintenance/done/:id/photo`
const HOW = 'Send the picture itself as the body, as image/jpeg, image/png or image/webp'

interface PhotoRequest { readonly Params: { readonly id: string } }

/** Takes photos, which are larger than other requests. */
export async function servePhotos (app: FastifyInstance, kernel: Kernel): Promise<void> {
  const { services } = kernel
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(['image/jpeg', 'image/png', 'image/webp', 'application/octet-stream'], { parseAs: 'buffer' },
      (_request, body, done) => { done(null, body) })
    scope.addContentTypeParser('*', (_request, _body, done) => { done(new BadInput(HOW)) })
    scope.post<PhotoRequest>(PATH, {
      bodyLimit: MOST_PHOTO_BYTES,
      config: {
        openapi: {
          operationId: 'postMaintenancePhoto',
          summary: '⚠ Add a photo to something that was done',
          description: `${HOW}. It is decoded and stored anew as a JPEG of at most 1600 pixels, without its metadata.`,
          tags: ['Maintenance'],
          consumes: ['image/jpeg', 'image/png', 'image/webp'],
          body: { content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } } },
          response: {
            ...services.http.failures({ method: 'POST', errors: PHOTO_ERRORS }, PATH),
            200: { description: 'Stored', content: { 'application/json': { schema: DoneView } } }
          }
        }
      }
    }, async (request, reply) => {
      const { body, params: { id } } = request
      if (!Buffer.isBuffer(body) || body.length === 0) throw new BadInput(HOW)
      const caller = services.http.callerOf(request)
      const { maintenance } = services
      await seenDone({ kernel, sees: printer => sees(caller, printer) }, id)
      await recorded(kernel, 'maintenance.addPhoto', { surface: 'http', caller }, () => maintenance.addPhoto(id, body))
      return services.http.sendJson(reply, doneView(await maintenance.findDone(id)))
    })
  })
}
