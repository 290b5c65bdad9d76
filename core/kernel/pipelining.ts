import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that are processed concurrently; clients that wait for each response never have two. */
const MAX_CONCURRENT = 8

interface Connection { running: number, readonly waiting: (() => void)[] }

/** Starts the processing of a request, at once or after earlier requests of its connection. */
export type PipelineLimiter = (request: Pick<IncomingMessage, 'socket'>, response: ServerResponse, begin: () => void) => void

/**
 * Prevents a connection with many pipelined requests from monopolising the process: a few are processed at a time, one
 * turn of the event loop passes before each start, and reading stops until all received requests have started.
 */
export function createPipelineLimiter (maxConcurrent = MAX_CONCURRENT): PipelineLimiter {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf (socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { running: 0, waiting: [] }
    connections.set(socket, connection)
    // Node resumes a socket after every request without a body.
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
