import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { operation, timeoutSignal, type DaemonContext, type PrinterContext } from '../../core/index.js'
import { NoCamera, StreamFailed } from './errors.js'
import { queryOf, isNative } from './frame.js'
import { relay } from './relay/relay.js'
import { Port, Quality, ResolutionText, Snapshot, StreamAddress, StreamInfo } from './schemas.js'
import { renditionOf, pictureOf, takeSnapshot } from './snapshot.js'
import { statusDocument } from './status.js'
import { SHOWN_WITHIN_MS } from './timeouts.js'
import { sharedUrl } from './stream/server.js'

const errors = [NoCamera, StreamFailed]
const Rendition = { resolution: ResolutionText, quality: Quality }

export const snapshot = operation({
  name: 'camera.takeSnapshot',
  summary: 'A picture of the camera',
  effect: 'read',
  errors,
  input: Type.Object({ ...Rendition, include_status: Type.Boolean() }),
  output: Snapshot,
  async run ({ services, session, kernel, signal, log }, { resolution, quality, include_status: withStatus }) {
    const { manager, timeouts } = services.camera
    const document = await takeSnapshot(manager, session, { resolution, quality, freshMs: timeouts.fresh, signal, log })
    return withStatus ? { ...document, status: statusDocument(session, kernel.hms) ?? {} } : document
  }
})

export const snapshotLink = operation({
  name: 'camera.snapshotLink',
  summary: 'A picture of the camera, and its URL',
  effect: 'read',
  input: Type.Object({ ...Rendition, include_status: Type.Boolean(), picture: Type.Boolean() }),
  output: Type.Object({
    url: Type.String(),
    jpeg: Type.Optional(Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })),
    no_picture: Type.Optional(Type.String({ description: 'Why there is none' }))
  }),
  async run ({ services, session, signal, baseUrl }, { picture, ...rendition }) {
    const url = services.http.link({ path: '/snapshot' }, { printer: session.name, ...rendition }, baseUrl)
    if (!picture) return { url }
    const { manager, timeouts } = services.camera
    const soon = AbortSignal.any([signal, timeoutSignal(SHOWN_WITHIN_MS)])
    return await manager.latestFrame(session, { maxAgeMs: timeouts.fresh, signal: soon })
      .then(frame => pictureOf(frame, renditionOf(rendition.resolution, rendition.quality)))
      .then(({ jpeg }) => ({ url, jpeg }))
      .catch((error: Error) => ({ url, no_picture: error.message }))
  }
})

const CONSEQUENCE = 'The camera picture and the job data can then be seen by anyone who reaches the port, until it is stopped.'

async function startServer ({ services, session, baseUrl }: PrinterContext, port?: number) {
  const { manager } = services.camera
  const server = await manager.start(session, port)
  const protocol = manager.protocol(session) ?? 'tcp_tls'
  return {
    url: server.urlFor(baseUrl),
    port: server.port,
    shared_url: sharedUrl(baseUrl, session.name),
    protocol
  }
}

export const startStream = operation({
  name: 'camera.startStream',
  summary: 'Start the MJPEG stream server',
  effect: 'write',
  runsHere: true,
  consequence: CONSEQUENCE,
  errors,
  input: Type.Object({ port: Type.Optional(Port) }),
  output: StreamAddress,
  run: (context, { port }) => startServer(context, port)
})

export const viewStream = operation({
  name: 'camera.viewStream',
  summary: 'Open the live page on the host',
  effect: 'write',
  runsHere: true,
  consequence: CONSEQUENCE,
  errors,
  input: Type.Object(Rendition),
  output: Type.Object({
    ...StreamAddress.properties,
    opened: Type.Boolean({ description: 'false: no browser could be started on the host' }),
    overlay_active: Type.Boolean({ description: 'Always true' })
  }),
  async run (context, { resolution, quality }) {
    const { session, services, trusted } = context
    const rendition = renditionOf(resolution, quality)
    const query = queryOf(rendition)
    const server = await startServer(context)
    const name = `prnd-${session.name}${isNative(rendition) ? '' : `-${rendition.resolution}-${rendition.quality}`}`
    const portal = `${server.url}open${query}${query === '' ? '?' : '&'}name=${encodeURIComponent(name)}`
    const opened = trusted && await services.camera.openBrowser(portal).catch(() => false)
    return { ...server, url: server.url + query, opened, overlay_active: true }
  }
})

const Stopped = Type.Object({ stopped: Type.Boolean({ description: 'false: none ran' }), name: Type.String() })
const stop = async ({ services }: DaemonContext, name: string) =>
  ({ stopped: await services.camera.manager.stop(name), name })

export const stopStream = operation({
  name: 'camera.stopStream',
  summary: 'Stop the stream server',
  effect: 'write',
  runsHere: true,
  consequence: 'All viewers lose the stream.',
  input: Type.Object({}),
  output: Stopped,
  run: context => stop(context, context.session.name)
})

/** Accepts any name: a printer without a stream has nothing to stop. */
export const stopNamedStream = operation({
  name: 'camera.stopNamedStream',
  summary: 'Stop the stream server',
  effect: 'write',
  scope: 'daemon',
  consequence: 'All viewers lose the stream.',
  input: Type.Object({ name: Type.String() }),
  output: Stopped,
  run: (context, { name }) => stop(context, name)
})

export const streamUrl = operation({
  name: 'camera.readStreamUrl',
  summary: 'Addresses of the camera and its stream',
  effect: 'read',
  runsHere: true,
  input: Type.Object({}),
  output: StreamInfo,
  run: ({ services, session, baseUrl }) => services.camera.manager.info(session, baseUrl)
})

/** For another service that shows this camera: one connection between the two, whatever the number of its viewers. */
export const watchCamera = operation({
  name: 'camera.watch',
  summary: 'What the camera sends, as it comes',
  effect: 'read',
  errors,
  input: Type.Object({}),
  output: Type.Object({ body: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) }),
  async run ({ services: { camera }, session, signal }) {
    const { source, timeouts } = camera.manager.stream(session)
    const withinMs = timeouts.firstFrame[source.protocol]
    return { body: await relay(source, { withinMs, signal, ended: session.signal }) }
  }
})
