import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
  /** Undefined while no credentials are required. */
  readonly rights: Rights | undefined
  /** For a program with a grant. */
  readonly asGrant: (() => Rights | undefined) | undefined
  /** The answer to a write, which may be what changed the rights; undefined for what may be a stream. */
  readonly answer: FastifyReply['raw'] | undefined
}

/** A write is answered within this time, or its connection ends all the same. */
const ANSWER_MS = 1_000

/** Whoever changes their own password or role still hears that it was done. */
function close (socket: Socket, answer: OpenSocket['answer']): void {
  if (answer === undefined || answer.writableFinished) {
    socket.destroy()
    return
  }
  const end = () => { socket.destroy() }
  answer.once('finish', end)
  setTimeout(end, ANSWER_MS).unref()
}

const isSame = (a: Rights, b: Rights | undefined): boolean => b !== undefined && a.role === b.role &&
  (a.budget === undefined) === (b.budget === undefined) &&
  [...a.printers ?? ['*']].sort().join('/') === [...b.printers ?? ['*']].sort().join('/')

/**
 * Connections of users and keys, and those that nobody had to log in for. A stream is authorized only when it begins
 * and may last for hours, so a change of rights closes the connections it affects.
 */
export function watchSockets (app: FastifyInstance, access: Access, { events }: Kernel):
{ add (request: FastifyRequest, reply: FastifyReply): void } {
  const open = new Map<Socket, OpenSocket>()

  function review (): void {
    for (const [socket, { headers, rights, asGrant, answer }] of open) {
      const caller = access.identify(headers) ?? asGrant?.()
      const isAdmitted = rights === undefined
        ? !access.locked || caller !== undefined
        : isSame(rights, rightsOf(caller))
      if (!isAdmitted) close(socket, answer)
    }
  }
  const off = events.on('people:changed', review)
  app.addHook('onClose', async () => off())

  return {
    add (request, reply) {
      const { identified, method, headers: { authorization, cookie }, raw: { socket } } = request
      const rights = rightsOf(identified)
      const isFixed = identified !== undefined && rights === undefined // the token and the command line
      if (isFixed || !(socket instanceof Socket)) return // injected requests have no socket
      if (!open.has(socket)) socket.once('close', () => { open.delete(socket) })
      const headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) }
      open.set(socket, { rights, headers, asGrant: access.grants?.identifier(request), answer: method === 'GET' ? undefined : reply.raw })
    }
  }
}
