import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that are worked on at the same time; clients that wait for each answer never have two. */
const MAX_CONCURRENT = 8

interface Connection { running: number, readonly waiting: (() => void)[] }

/** Starts the work on a request, at once or when earlier requests of its connection are answered. */
export type PipelineLimiter = (request: Pick<IncomingMessage, 'socket'>, response: ServerResponse, begin: () => void) => void

/**
 * Keeps a connection that sends many requests without waiting for the answers from holding the process: a few are
 * worked on at a time, one turn of the event loop passes before the next begins, and nothing more is read from the
 * connection until all that was read has begun.
 */
export function createPipelineLimiter (maxConcurrent = MAX_CONCURRENT): PipelineLimiter {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf (socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { running: 0, waiting: [] }
    connections.set(socket, connection)
    // The server itself resumes a socket whenever a request without a body is read to its end.
    socket.on('resume', () => { if (connection.waiting.length > 0) socket.pause() })
    socket.once('close', () => { connection.waiting.length = 0 })
    return connection
  }

  function answered (socket: Socket, connection: Connection): void {
    const next = connection.waiting.shift()
    if (next === undefined) {
      connection.running--
      return
    }
    if (connection.waiting.length === 0) socket.resume()
    next()
  }

  return ({ socket }, response, begin) => {
    const connection = connectionOf(socket)
    response.once('close', () => { setImmediate(answered, socket, connection) })
    if (connection.running < maxConcurrent) {
      connection.running++
      return begin()
    }
    connection.waiting.push(begin)
    socket.pause()
  }
}
