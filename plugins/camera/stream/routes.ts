import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kernel, PrinterSession } from '../../../core/index.js'
import { sendJson } from '../../http/index.js'
import { invalidQuality, invalidResolution } from '../errors.js'
import { DEFAULT_QUALITY, resolutionOf, readQuality, type Look } from '../frame.js'
import { HEALTH_IMAGES, plateImageOf, type HealthImage } from '../optional-services.js'
import { pictureOf } from '../snapshot.js'
import type { CameraFeed } from '../camera-feed.js'
import { statusDocument } from '../status.js'
import type { CameraTimeouts } from '../timeouts.js'
import type { ViewerPool } from './viewer-pool.js'
import { livePage, PAGE_POLICY, portalPage, servePageAssets } from './page.js'
import type { HudPanel } from '../panels.js'
import type { Protocol } from '../protocol.js'

export interface StreamContext {
  readonly kernel: Kernel
  readonly session: PrinterSession
  readonly source: CameraFeed
  readonly viewerPool: ViewerPool
  readonly timeouts: CameraTimeouts
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>
/** Of a parameter that was repeated the last one counts. */
const one = (value: Query[string]): string | undefined => typeof value === 'string' ? value : value?.at(-1)

/** @throws PRN_ERR_INVALID_RESOLUTION, PRN_ERR_INVALID_QUALITY */
export function lookOf ({ query }: FastifyRequest): Look {
  const wanted = one((query as Query).resolution) ?? 'native'
  const resolution = resolutionOf(wanted)
  if (resolution === undefined) throw invalidResolution(wanted)
  const given = one((query as Query).quality) ?? DEFAULT_QUALITY
  const quality = readQuality(given)
  if (quality === undefined) throw invalidQuality(given)
  return { resolution, quality }
}

const NO_STORE = 'no-store'
/** The live page asks for 204 where something is absent: browsers report every other code as an error. */
const absentCode = ({ query }: FastifyRequest, usual: number): number => one((query as Query).absent) === '204' ? 204 : usual

/** Everything that a stream server answers. */
export function serveStream (app: FastifyInstance, context: StreamContext): void {
  servePages(app, context)
  serveDocuments(app, context)
  servePictures(app, context)
  const stream = (request: FastifyRequest, reply: FastifyReply) => {
    const look = lookOf(request)
    context.viewerPool.admit(reply.raw, look)
    reply.hijack()
  }
  app.get('/stream', stream)
  app.get('/*', (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (/\.[^/]*$/.test(path)) return reply.callNotFound()
    stream(request, reply)
  })
}

function servePages (app: FastifyInstance, { session }: StreamContext): void {
  const page = (html: string) => (request: FastifyRequest, reply: FastifyReply) => {
    lookOf(request) // a page that asks for what there is not would stay dark
    return reply.type('text/html; charset=utf-8').header('cache-control', NO_STORE)
      .header('content-security-policy', PAGE_POLICY).header('x-content-type-options', 'nosniff').send(html)
  }
  const live = page(livePage(session.name))
  app.get('/', live)
  app.get('/index.html', live)
  app.get('/open', page(portalPage(session.name)))
  servePageAssets(app)
}

function serveDocuments (app: FastifyInstance, { kernel, session, source, viewerPool }: StreamContext): void {
  const figures = createStreamStats(source, kernel.now)
  app.get('/status', (_request, reply) => sendJson(reply, {
    ...statusDocument(session, kernel.hms),
    ...figures(),
    viewers: viewerPool.size,
    live: session.live,
    camera_problem: source.problem?.message ?? null
  }, kernel.redact))
  app.get('/panels', (_request, reply) => sendJson(reply, renderPanels(kernel, session), kernel.redact))
  app.get('/job_state', (request, reply) => {
    try {
      const result = kernel.optional.jobHealth?.result(session.name)
      if (result !== undefined) return sendJson(reply, result, kernel.redact)
      if (absentCode(request, 503) === 204) return reply.code(204).send()
      return sendJson(reply.code(503), { status: 'no_data', printer: session.name }, kernel.redact)
    } catch (error) {
      request.log.error({ err: error }, 'the result of the job monitor could not be read')
      return sendJson(reply.code(500), { error: 'internal_error', detail: (error as Error).message }, kernel.redact)
    }
  })
}

/** Pictures may be JPEG too: what they are stands at their beginning. */
const imageType = (bytes: Uint8Array) => bytes[0] === 0xFF ? 'image/jpeg' : 'image/png'

function servePictures (app: FastifyInstance, { kernel, session, source, timeouts }: StreamContext): void {
  const send = (reply: FastifyReply, bytes: Uint8Array | undefined, absent: number) => {
    reply.header('cache-control', NO_STORE)
    if (bytes === undefined) return reply.code(absent).send()
    return reply.type(imageType(bytes)).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  app.get('/snapshot', async (request, reply) => {
    const look = lookOf(request)
    const frame = await source.picture({
      freshMs: timeouts.fresh,
      withinMs: timeouts.firstFrame[source.protocol],
      signal: kernel.signal,
      lingerMs: timeouts.autoStop
    }).catch((error: Error & { extra?: object }) => error)
    if (frame instanceof Error) {
      return sendJson(reply.code(503), { error: 'stream_failed', detail: frame.message }, kernel.redact)
    }
    return send(reply, (await pictureOf(frame, look)).jpeg, 503)
  })
  for (const kind of ['thumbnail', 'layout'] as const) {
    app.get(`/${kind}`, async (request, reply) => {
      const image = await plateImageOf(kernel.optional.projects, session, kind)
      return send(reply, image, absentCode(request, 404))
    })
  }
  const healthImage = (kind: HealthImage) => async (_request: FastifyRequest, reply: FastifyReply) =>
    send(reply, await kernel.optional.jobHealth?.image(session.name, kind), 204)
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

/** The contributed panels as drawn now; one that fails is left out. */
function renderPanels (kernel: Kernel, session: PrinterSession) {
  return kernel.contributed('panels').filter(panel => panel.slot === 'hud').flatMap(panel => {
    const html = draw(kernel, panel, session)
    return html === undefined ? [] : [{ id: panel.id, title: panel.title, html }]
  })
}

/** What a camera of each kind gives at best, pictures a second. */
const CAPS: Readonly<Record<Protocol, number>> = { tcp_tls: 0.5, rtsps: 30 }
const HISTORY = 60
/** However many pages ask, the history moves on no faster. */
const STEP_MS = 1_000

/** @returns a reader of the speed now and before, as the live page shows it */
function createStreamStats ({ rate, protocol }: CameraFeed, now: () => number) {
  const history: number[] = new Array<number>(HISTORY).fill(0)
  let movedAt = -Infinity
  return () => {
    const fps = rate.value()
    if (now() - movedAt >= STEP_MS) {
      movedAt = now()
      history.push(fps)
      history.shift()
    }
    return { fps, fps_cap: CAPS[protocol], fps_history: [...history] }
  }
}
