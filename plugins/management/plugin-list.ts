import type { FastifyInstance } from 'fastify'
import { pluginFacts, type Kernel } from '../../core/index.js'
import { sendJson } from '../http/index.js'

export const PLUGINS_PATH = '/plugins'

/** What runs here and what went wrong in it. It belongs to no documented interface, so it lies beside the API. */
export function servePlugins (app: FastifyInstance, kernel: Kernel): void {
  app.get(PLUGINS_PATH, { schema: { hide: true } as object }, async (_request, reply) =>
    sendJson(reply, { plugins: pluginFacts(kernel) }, kernel.redact))
}
