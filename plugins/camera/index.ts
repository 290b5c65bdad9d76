import { Type } from 'typebox'
import { definePlugin, openBrowser, type OpenBrowser, type Plugin } from '../../core/index.js'
import { createCameraManager } from './camera-manager.js'
import { createDecoderFinder, decoderFolder } from './decoder/find.js'
import type { FindDecoder } from './decoder/types.js'
import { watchCamera } from './operations.js'
import { cameraPicture } from './resource.js'
import routes from './routes.js'
import tools from './tools.js'
import { FULL_RATE } from './decoder/ffmpeg.js'
import { CAMERA_TIMEOUTS, type CameraTimeouts } from './timeouts.js'
import type { CameraManager } from './types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kernel } from '../../core/index.js'
import { serveStream } from './stream/routes.js'

type Params = { readonly Params: { readonly printer: string } }

/**
 * Serves the streams of all printers under the port of the API. Nothing needs to be started or stopped: the camera is
 * connected while there are viewers.
 */
function serveSharedStreams (app: FastifyInstance, kernel: Kernel, manager: CameraManager): void {
  const streamOf = (request: FastifyRequest) =>
    manager.stream(kernel.printers.resolve((request as FastifyRequest<Params>).params.printer))
  void app.register(async scope => serveStream(scope, streamOf, kernel.services.http), { prefix: '/stream/:printer' })
}

export { defineHudPanel } from './panels.js'
export type { HudPanel } from './panels.js'
export type { Frame } from './frame.js'
export type { HealthImage, JobHealth } from './job-images.js'
export type { CameraManager } from './types.js'
export type { CameraTaps } from './camera-feed.js'
export { CLOCK_HZ, type AccessUnit, type VideoFormat, type VideoSource } from './video/types.js'
export { createMp4File } from './video/mp4-file.js'
export type { Mp4File } from './video/mp4-file.js'
export type { Decoder, FindDecoder } from './decoder/types.js'
export { createDecoderFinder, decoderFolder } from './decoder/find.js'
export { DECODER_PACKAGE, installedPackage } from './decoder/package.js'
export type { Protocol } from './protocol.js'

declare module 'prnd' {
  interface Services {
    camera: {
      readonly manager: CameraManager
      /** The newest picture, or a new one if that is older than `maxAgeMs`. */
      readonly latestFrame: CameraManager['latestFrame']
      readonly protocol: CameraManager['protocol']
      readonly video: CameraManager['video']
      readonly tap: CameraManager['tap']
      readonly hold: CameraManager['hold']
      /** The decoder of video to pictures, and encoder of pictures to video. */
      readonly findDecoder: FindDecoder
      readonly timeouts: CameraTimeouts
      readonly openBrowser: OpenBrowser
    }
  }
}

/** Set by presets and tests; not configurable. */
interface PresetOverrides {
  readonly openBrowser?: OpenBrowser
  readonly timeouts?: Partial<CameraTimeouts>
}

const Options = Type.Object({
  maxFps: Type.Integer({ minimum: 1, maximum: FULL_RATE, default: FULL_RATE, description: 'Highest number of pictures a second from an RTSPS camera' }),
  maxViewers: Type.Integer({ minimum: 1, default: 256, description: 'Of one stream at a time' })
})

/** Cameras: pictures, streams, live page. */
export const cameraWith = (overrides: PresetOverrides = {}): Plugin<typeof Options> => definePlugin({
  name: 'camera',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Camera pictures, streams and live page',
  needs: ['http', 'system'],
  optional: ['jobHealth', 'projects'],
  provides: ['camera'],
  uses: ['camera', 'network', 'disk'],
  options: Options,
  contributes: (_options, services) => ({
    routes,
    tools,
    operations: [watchCamera],
    resources: [cameraPicture],
    streams: [{ list: baseUrl => services.camera.manager.list(baseUrl) }]
  }),
  setup ({ app, kernel, log, options, provide }) {
    const timeouts = { ...CAMERA_TIMEOUTS, ...overrides.timeouts }
    const decoders = createDecoderFinder({ configured: kernel.config.ffmpeg, folder: decoderFolder(kernel.dataDir) })
    const findDecoder = decoders.find
    const manager = createCameraManager({ kernel, log, timeouts, findDecoder, ...options })
    const { latestFrame, protocol, video, tap, hold } = manager
    const { openBrowser: open = openBrowser } = overrides
    provide('camera', { manager, latestFrame, protocol, video, tap, hold, findDecoder, timeouts, openBrowser: open })
    serveSharedStreams(app, kernel, manager)
    app.addHook('preClose', async () => {
      await manager.close()
      await decoders.close()
    })
  }
})

export default cameraWith()
