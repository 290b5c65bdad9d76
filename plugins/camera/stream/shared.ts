import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kernel } from '../../../core/index.js'
import type { CameraManager } from '../types.js'
import { serveStream } from './routes.js'

type Params = { readonly Params: { readonly printer: string } }

/**
 * The streams of all printers under the port of the API. Nothing needs to be started or stopped: the camera is read
 * while somebody looks.
 */
export function serveSharedStreams (app: FastifyInstance, kernel: Kernel, manager: CameraManager): void {
  const streamOf = (request: FastifyRequest) =>
    manager.stream(kernel.printers.resolve((request as FastifyRequest<Params>).params.printer))
  void app.register(async scope => serveStream(scope, streamOf), { prefix: '/stream/:printer' })
}
