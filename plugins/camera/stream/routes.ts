import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kernel, PrinterSession, Services } from '../../../core/index.js'
import { invalidQuality, invalidResolution } from '../errors.js'
import { DEFAULT_QUALITY, resolutionOf, readQuality, type Rendition } from '../frame.js'
import { HEALTH_IMAGES, plateImageOf, type HealthImage } from '../job-images.js'
import { pictureOf } from '../snapshot.js'
import { statusDocument } from '../status.js'
import type { Stream } from './stream.js'
import { livePage, PAGE_POLICY, portalPage, pageAssets } from './page.js'
import type { HudPanel } from '../panels.js'

/** The stream that a request addresses. @throws when there is none */
export type StreamOf = (request: FastifyRequest) => Stream

type Query = Readonly<Record<string, string | readonly string[] | undefined>>
/** The last value of a repeated parameter counts. */
const one = (value: Query[string]): string | undefined => typeof value === 'string' ? value : value?.at(-1)

/** @throws PRN_ERR_INVALID_RESOLUTION, PRN_ERR_INVALID_QUALITY */
export function renditionOf ({ query }: FastifyRequest): Rendition {
  const wanted = one((query as Query).resolution) ?? 'native'
  const resolution = resolutionOf(wanted)
  if (resolution === undefined) throw invalidResolution(wanted)
  const given = one((query as Query).quality) ?? DEFAULT_QUALITY
  const quality = readQuality(given)
  if (quality === undefined) throw invalidQuality(given)
  return { resolution, quality }
}

const NO_STORE = 'no-store'
/** The live page asks for 204 when something is absent, as browsers log every error status. */
const absentCode = ({ query }: FastifyRequest, usual: number): number => one((query as Query).absent) === '204' ? 204 : usual

/** All routes of a stream, relative to its address. */
export function serveStream (app: FastifyInstance, streamOf: StreamOf, http: Services['http']): void {
  servePages(app, streamOf)
  http.servePageFiles(app, pageAssets())
  serveDocuments(app, streamOf)
  servePictures(app, streamOf)
  serveVideo(app, streamOf)
  const pictures = (request: FastifyRequest, reply: FastifyReply) => {
    const rendition = renditionOf(request)
    streamOf(request).viewerPool.admit(reply.raw, rendition, request.ip)
    reply.hijack()
  }
  app.get('/stream', pictures)
  app.get('/*', (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (/\.[^/]*$/.test(path)) return reply.callNotFound()
    pictures(request, reply)
  })
}

function servePages (app: FastifyInstance, streamOf: StreamOf): void {
  const page = (htmlOf: (stream: Stream, headers: FastifyRequest['headers']) => string) => (request: FastifyRequest, reply: FastifyReply) => {
    renditionOf(request) // rejects a bad query here: the page itself would only stay blank
    return reply.type('text/html; charset=utf-8').header('cache-control', NO_STORE)
      .header('content-security-policy', PAGE_POLICY).header('x-content-type-options', 'nosniff')
      .send(htmlOf(streamOf(request), request.headers))
  }
  const live = page(livePage)
  app.get('/', live)
  app.get('/index.html', live)
  app.get('/open', page(portalPage))
}

function serveDocuments (app: FastifyInstance, streamOf: StreamOf): void {
  app.get('/status', (request, reply) => {
    const { kernel, session, source, viewerPool, stats } = streamOf(request)
    return kernel.services.http.sendJson(reply, {
      ...statusDocument(session, kernel.hms),
      ...stats(),
      viewers: viewerPool.size,
      live: session.live,
      camera_problem: source.problem?.message ?? null
    })
  })
  app.get('/panels', (request, reply) => {
    const { kernel, session } = streamOf(request)
    return kernel.services.http.sendJson(reply, renderPanels(kernel, session))
  })
  app.get('/job_state', (request, reply) => {
    const { kernel, session } = streamOf(request)
    const { sendJson } = kernel.services.http
    reply.header('cache-control', NO_STORE) // a cached empty answer would hide the first result
    try {
      const result = kernel.optional.jobHealth?.result(session.name)
      if (result !== undefined) return sendJson(reply, result)
      if (absentCode(request, 503) === 204) return reply.code(204).send()
      return sendJson(reply.code(503), { status: 'no_data', printer: session.name })
    } catch (error) {
      request.log.error({ err: error }, 'the result of the job monitor could not be read')
      return sendJson(reply.code(500), { error: 'internal_error', detail: (error as Error).message })
    }
  })
}

const unavailable = (reply: FastifyReply, { kernel }: Stream, { message }: Error) =>
  kernel.services.http.sendJson(reply.code(503), { error: 'stream_failed', detail: message })

/** Limit of the reason in a WebSocket close frame (RFC 6455, 5.5). */
const MOST_REASON_BYTES = 123
const TRY_AGAIN_LATER = 1013
const UNSUPPORTED = 1003

/**
 * Waits until the camera sends: until then, an error can still be reported.
 * @throws PRN_ERR_STREAM_FAILED, PRN_ERR_TOO_MANY_VIEWERS, PRN_ERR_TOO_MANY_FROM_ADDRESS
 */
async function awaitVideo ({ source, timeouts, kernel, viewerPool }: Stream, address: string): Promise<void> {
  viewerPool.checkRoom(address)
  await source.ready({
    withinMs: timeouts.firstFrame[source.protocol],
    signal: kernel.signal,
    lingerMs: timeouts.autoStop
  })
}

const NO_VIDEO = 'This camera sends pictures, no video: they are at stream'

function serveVideo (app: FastifyInstance, streamOf: StreamOf): void {
  app.route({
    method: 'GET',
    url: '/stream.mp4',
    async handler (request, reply) {
      const stream = streamOf(request)
      if (stream.source.video === undefined) {
        return stream.kernel.services.http.sendJson(reply.code(404), { error: 'no_video', detail: NO_VIDEO })
      }
      const failure = await awaitVideo(stream, request.ip).then(() => undefined, (error: Error) => error)
      if (failure !== undefined && !isStreamFailure(failure)) throw failure
      if (failure !== undefined) return unavailable(reply, stream, failure)
      stream.viewerPool.admitVideo(reply.raw, request.ip)
      return reply.hijack()
    },
    wsHandler (socket, request) {
      socket.on('error', () => {}) // followed by close
      let redact = (text: string): string => text
      const refuse = (code: number, { message }: Error) =>
        socket.close(code, Buffer.from(redact(message)).subarray(0, MOST_REASON_BYTES).toString().replace(/\uFFFD$/, ''))
      const watch = async () => {
        const stream = streamOf(request)
        redact = stream.kernel.redact
        if (stream.source.video === undefined) return refuse(UNSUPPORTED, new Error(NO_VIDEO))
        await awaitVideo(stream, request.ip)
        if (socket.readyState === socket.OPEN) stream.viewerPool.admitVideo({ socket }, request.ip)
      }
      watch().catch((error: Error) => refuse(TRY_AGAIN_LATER, error))
    }
  })
}

const isStreamFailure = (error: Error): boolean => (error as { code?: unknown }).code === 'PRN_ERR_STREAM_FAILED'

/** Images may be JPEG too; their first byte tells. */
const imageType = (bytes: Uint8Array) => bytes[0] === 0xFF ? 'image/jpeg' : 'image/png'

function servePictures (app: FastifyInstance, streamOf: StreamOf): void {
  const send = (reply: FastifyReply, bytes: Uint8Array | undefined, absent: number) => {
    reply.header('cache-control', NO_STORE)
    if (bytes === undefined) return reply.code(absent).send()
    return reply.type(imageType(bytes)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  app.get('/snapshot', async (request, reply) => {
    const rendition = renditionOf(request)
    const stream = streamOf(request)
    const { kernel, source, timeouts } = stream
    const frame = await source.picture({
      freshMs: timeouts.fresh,
      withinMs: timeouts.firstFrame[source.protocol],
      signal: kernel.signal,
      lingerMs: timeouts.autoStop
    }).catch((error: Error) => error)
    if (frame instanceof Error) return unavailable(reply, stream, frame)
    return send(reply, (await pictureOf(frame, rendition)).jpeg, 503)
  })
  for (const kind of ['thumbnail', 'layout'] as const) {
    app.get(`/${kind}`, async (request, reply) => {
      const { kernel, session } = streamOf(request)
      const image = await plateImageOf(kernel.optional.projects, session, kind)
      return send(reply, image, absentCode(request, 404))
    })
  }
  const healthImage = (kind: HealthImage) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { kernel, session } = streamOf(request)
    return send(reply, await kernel.optional.jobHealth?.image(session.name, kind), 204)
  }
  for (const kind of HEALTH_IMAGES) app.get(`/${kind}`, healthImage(kind))
}

function draw (kernel: Kernel, panel: HudPanel, session: PrinterSession): string | undefined {
  const guard = kernel.pluginFaults.guard(kernel.originOf(panel), 'panel of the stream page', panel.id)
  return guard.run(() => {
    const html: unknown = panel.render(session)
    if (html === undefined || typeof html === 'string') return html
    throw new TypeError('render must return text')
  }, { panel: panel.id, printer: session.name })
}

/** The contributed panels, rendered now; one that fails is left out. */
function renderPanels (kernel: Kernel, session: PrinterSession) {
  return kernel.contributed('panels').filter(panel => panel.slot === 'hud').flatMap(panel => {
    const html = draw(kernel, panel, session)
    return html === undefined ? [] : [{ id: panel.id, title: panel.title, html }]
  })
}
