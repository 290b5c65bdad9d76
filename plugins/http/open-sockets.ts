import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rightsOf, type Kernel, type Rights } from '../../core/index.js'
import type { Access, AccessHeaders } from './access.js'

declare module 'prnd' {
  interface Events {
    /** Rights of users or keys may have changed: their open connections are checked again. */
    'people:changed': []
  }
}

interface OpenSocket {
  readonly headers: AccessHeaders
  readonly rights: Rights
  /** For a program with a grant. */
  readonly asGrant: (() => Rights | undefined) | undefined
}

const isSame = (a: Rights, b: Rights | undefined): boolean => b !== undefined && a.role === b.role &&
  (a.budget === undefined) === (b.budget === undefined) &&
  [...a.printers ?? ['*']].sort().join('/') === [...b.printers ?? ['*']].sort().join('/')

/**
 * Connections of users and keys. A stream is authorized only when it begins and may last for hours, so a change of
 * rights closes the connections it affects.
 */
export function watchSockets (app: FastifyInstance, access: Access, { events }: Kernel):
{ add (request: FastifyRequest): void } {
  const open = new Map<Socket, OpenSocket>()

  function review (): void {
    for (const [socket, { headers, rights, asGrant }] of open) {
      if (!isSame(rights, rightsOf(access.identify(headers) ?? asGrant?.()))) socket.destroy()
    }
  }
  const off = events.on('people:changed', review)
  app.addHook('onClose', async () => off())

  return {
    add (request) {
      const { identified, headers: { authorization, cookie }, raw: { socket } } = request
      const rights = rightsOf(identified)
      if (rights === undefined || !(socket instanceof Socket)) return // injected requests have no socket
      if (!open.has(socket)) socket.once('close', () => { open.delete(socket) })
      const headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) }
      open.set(socket, { rights, headers, asGrant: access.grants?.identifier(request) })
    }
  }
}
