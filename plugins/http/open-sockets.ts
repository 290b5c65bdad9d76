import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rightsOf, type Kernel, type Rights } from '../../core/index.js'
import type { Access, AccessHeaders } from './access.js'

declare module 'prnd' {
  interface Events {
    /** Rights of people or keys may be others now: what is open for them is looked at again. */
    'people:changed': []
  }
}

interface Shown { readonly headers: AccessHeaders, readonly rights: Rights }

const isSame = (a: Rights, b: Rights | undefined): boolean => b !== undefined && a.role === b.role &&
  [...a.printers ?? ['*']].sort().join('/') === [...b.printers ?? ['*']].sort().join('/')

/**
 * Connections of people and keys. A stream that goes on for hours is judged when it begins: when rights have changed,
 * the connections of those whom it concerns are ended.
 */
export function watchSockets (app: FastifyInstance, access: Access, { events }: Kernel):
{ add (request: FastifyRequest): void } {
  const open = new Map<Socket, Shown>()

  function review (): void {
    for (const [socket, { headers, rights }] of open) {
      if (!isSame(rights, rightsOf(access.identify(headers)))) socket.destroy()
    }
  }
  const off = events.on('people:changed', review)
  app.addHook('onClose', async () => off())

  return {
    add ({ identified, headers: { authorization, cookie }, raw: { socket } }) {
      const rights = rightsOf(identified)
      if (rights === undefined || !(socket instanceof Socket)) return // one that is injected has none
      if (!open.has(socket)) socket.once('close', () => { open.delete(socket) })
      open.set(socket, { rights, headers: { ...(authorization && { authorization }), ...(cookie && { cookie }) } })
    }
  }
}
