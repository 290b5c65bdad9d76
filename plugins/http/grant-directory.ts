import type { FastifyRequest } from 'fastify'
import type { Rights } from '../../core/index.js'

/** Programs to which users gave a grant, provided by the plugin that stores grants. */
export interface GrantDirectory {
  /**
   * How the access token of a request is judged, now and while its connection is open; undefined for a route or a
   * credential that grants do not concern.
   */
  identifier (request: FastifyRequest): (() => Rights | undefined) | undefined
  /** Tells a program without valid credentials how it gets a grant; undefined where it gets none. */
  challenge (request: FastifyRequest): string | undefined
}
