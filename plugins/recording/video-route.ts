import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { API_PREFIX, BadInput, validationError, type Kernel } from '../../core/index.js'
import { NoRecording, RecordingUnfinished } from './errors.js'
import { readRecordingFile } from './operations.js'
import { RecordingId, type Recording } from './schemas.js'

const PATH = `${API_PREFIX}/recordings/:id/file`

/** Only characters that are safe in file names and headers. */
export const downloadName = ({ printer, kind, started_at: startedAt }: Recording): string =>
  `${printer}-${kind}-${startedAt.slice(0, 19)}`.replaceAll(/[^A-Za-z0-9._-]+/g, '-') + '.mp4'

interface FileRequest { readonly Params: { readonly id: string }, readonly Querystring: { readonly download?: string } }

const describe = ({ services }: Kernel) => ({
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
})

function checkId (id: string): void {
  if (validationError(RecordingId, id) !== undefined) throw new BadInput('id must be that of a recording, as listed')
}

const headersFor = (recording: Recording, { download }: FileRequest['Querystring']) => ({
  'cache-control': 'private, no-cache',
  'content-disposition': `${download === 'true' ? 'attachment' : 'inline'}; filename="${downloadName(recording)}"`,
  'x-content-type-options': 'nosniff'
})

/** Serves videos, whole or in ranges. */
export function serveVideos (app: FastifyInstance, kernel: Kernel): void {
  void app.register(async scope => {
    await kernel.services.http.enableFiles(scope)
    scope.get<FileRequest>(PATH, { config: describe(kernel) }, ({ params: { id }, query }, reply) => {
      checkId(id)
      const { folder, name, recording } = kernel.services.recording.fileOf(id)
      return reply.type('video/mp4').headers(headersFor(recording, query)).sendFile(name, folder)
    })
  })
}

const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/

/** The same for a hub, from its nodes. */
export function serveVideosAtHub (app: FastifyInstance, kernel: Kernel): void {
  app.get<FileRequest>(PATH, { config: describe(kernel) }, async (request, reply) => {
    const { params: { id }, query, headers: { range = '' } } = request
    checkId(id)
    const [isRange, from = '0', to] = RANGE.exec(range) ?? []
    const start = Number(from)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort(new Error('the caller went away')))
    const { recording, size, body } = await kernel.call(readRecordingFile,
      { id, from: start, ...(to !== undefined && { to: Number(to) }) },
      { caller: kernel.services.http.callerOf(request), surface: 'http', signal: gone.signal })
    void reply.type('video/mp4').headers({ ...headersFor(recording, query), 'accept-ranges': 'bytes' })
    if (body === undefined) return await reply.code(416).header('content-range', `bytes */${size}`).send()
    const end = Math.min(to === undefined ? size - 1 : Number(to), size - 1)
    void reply.header('content-length', end - start + 1)
    if (isRange !== undefined) void reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
    return await reply.send(body)
  })
}
