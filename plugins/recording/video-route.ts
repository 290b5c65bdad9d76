import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { BadInput, validationError, type Kernel } from '../../core/index.js'
import { API_PREFIX, enableFiles } from '../http/index.js'
import { NoRecording, RecordingUnfinished } from './errors.js'
import { RecordingId, type Recording } from './schemas.js'

const PATH = `${API_PREFIX}/recordings/:id/file`

/** Only characters that every system and header takes. */
export const downloadName = ({ printer, kind, started_at: startedAt }: Recording): string =>
  `${printer}-${kind}-${startedAt.slice(0, 19)}`.replaceAll(/[^A-Za-z0-9._-]+/g, '-') + '.mp4'

interface Asked { readonly Params: { readonly id: string }, readonly Querystring: { readonly download?: string } }

/** The videos themselves, whole or in ranges. */
export function serveVideos (app: FastifyInstance, { services }: Kernel): void {
  void app.register(async scope => {
    await enableFiles(scope)
    scope.get<Asked>(PATH, {
      config: {
        openapi: {
          operationId: 'getRecordingFile',
          summary: 'The video of a recording',
          tags: ['Camera'],
          params: Type.Object({ id: RecordingId }),
          querystring: Type.Object({
            download: Type.Optional(Type.Boolean({ default: false, description: 'To be saved instead of played' }))
          }),
          response: {
            ...services.http.failures({ method: 'GET', errors: [NoRecording, RecordingUnfinished] }, PATH),
            200: { description: 'MP4 (H.264)', content: { 'video/mp4': { schema: { type: 'string', format: 'binary' } } } },
            206: { description: 'The range that was asked for', type: 'null' }
          }
        }
      }
    }, ({ params: { id }, query: { download } }, reply) => {
      if (validationError(RecordingId, id) !== undefined) throw new BadInput('id must be that of a recording, as listed')
      const { folder, name, recording } = services.recording.fileOf(id)
      return reply.type('video/mp4').headers({
        'cache-control': 'private, no-cache',
        'content-disposition': `${download === 'true' ? 'attachment' : 'inline'}; filename="${downloadName(recording)}"`,
        'x-content-type-options': 'nosniff'
      }).sendFile(name, folder)
    })
  })
}
