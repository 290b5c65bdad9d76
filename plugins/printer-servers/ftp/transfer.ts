import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotResumed, protect, type Passive } from './passive-port.js'
import type { FtpFault } from './fault.js'
import type { OpenSession } from './session.js'
import { CardFull, type Sink } from './store.js'

/** A fault that interrupts a transfer. */
class Cut extends Error {}

const FULL = '552 Requested file action aborted. Exceeded storage allocation.'
const NO_CONNECTION = '425 Failed to establish connection.'
const LOST = { read: '426 Failure reading network stream.', write: '426 Failure writing network stream.' }

/** Injects a fault into a stream. */
async function * withFault (source: AsyncIterable<Buffer>, { cutAt = Infinity, stallAt = Infinity }: FtpFault,
  socket: Socket): AsyncGenerator<Buffer> {
  let count = 0
  for await (const chunk of source) {
    const left = Math.min(cutAt, stallAt) - count
    if (chunk.length < left) { yield chunk; count += chunk.length; continue }
    if (left > 0) yield chunk.subarray(0, left)
    if (cutAt <= stallAt) throw new Cut()
    if (!socket.closed) await once(socket, 'close') // until the client disconnects
    throw new Error('the client went away')
  }
  if (count >= cutAt) throw new Cut()
}

const NOT_RESUMED = '522 SSL connection failed: session reuse required'

/**
 * Opens the data connection in the order of vsFTPd: accept, announce the transfer, and only then start TLS. Sends an
 * error reply if there is none.
 */
async function dataSocket (session: OpenSession, passive: Passive, opening: string): Promise<Socket | undefined> {
  const { context, isProtected, reply } = session
  try {
    const raw = await passive.accept()
    reply(opening)
    return isProtected ? await protect(raw, context.secure, context.profile.mustResume) : raw
  } catch (error) {
    if (error instanceof NotResumed) reply(NOT_RESUMED)
    else {
      passive.close()
      reply(NO_CONNECTION)
    }
    return undefined
  }
}

/** One transfer, from its first reply to its last. @param work transfers the bytes and returns the last reply */
async function transfer (session: OpenSession, opening: string, fault: FtpFault, lost: string,
  work: (socket: Socket) => Promise<string>): Promise<void> {
  const { context, reply, passive } = session
  if (passive === undefined) return reply('425 Use PORT or PASV first.')
  if (context.transfers >= context.mostTransfers) {
    passive.close()
    session.passive = undefined
    return reply(NO_CONNECTION)
  }
  context.transfers++
  let socket: Socket | undefined
  try {
    socket = await dataSocket(session, passive, opening)
    if (socket === undefined) return
    socket.setTimeout(context.stallMs, function (this: Socket) { this.destroy() })
    const last = await work(socket)
    if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false })
    reply(fault.ending ?? last)
  } catch (error) {
    if (error instanceof CardFull) {
      reply(FULL)
      return drain(socket)
    }
    socket?.destroy()
    if (!(error instanceof Cut)) return reply(lost)
    if (fault.after === 'reset') return session.socket.destroy() as unknown as void
    reply(fault.after ?? lost)
  } finally {
    context.transfers--
    session.passive = undefined
  }
}

const DRAIN_MS = 1_000

/** Closing with unread bytes would reset the connection, and the client would not receive the reason. */
function drain (socket: Socket | undefined): void {
  if (socket === undefined) return
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS).unref()
  socket.once('close', () => clearTimeout(timer)).resume().end()
}

function put (socket: Socket, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      socket.off('drain', settle).off('close', settle)
      if (socket.destroyed) reject(new Error('the client went away'))
      else resolve()
    }
    if (socket.destroyed || socket.write(chunk)) return settle()
    socket.on('drain', settle).on('close', settle)
  })
}

export async function transferToClient (session: OpenSession, opening: string, source: AsyncIterable<Buffer>,
  fault: FtpFault | undefined, done: string): Promise<void> {
  const { card } = session
  const injected = fault ?? { command: '' }
  await transfer(session, opening, injected, LOST.write, async socket => {
    socket.resume()
    for await (const chunk of withFault(paced(source, () => card.bytesPerSecond), injected, socket)) {
      if (!card.present) throw new Error('the card is gone')
      await put(socket, chunk)
    }
    socket.end()
    if (!socket.closed) await once(socket, 'close')
    return done
  })
}

export async function transferFromClient (session: OpenSession, opening: string, sink: () => Promise<Sink>,
  fault: FtpFault | undefined): Promise<void> {
  const { card, context: { profile } } = session
  const injected = fault ?? { command: '' }
  await transfer(session, opening, injected, LOST.read, async socket => {
    const file = await sink()
    try {
      const source = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
      const arriving = withFault(paced(source, () => card.bytesPerSecond), injected, socket)
      for await (const chunk of arriving) await file.write(chunk)
    } catch (error) {
      await (file.abort ?? file.end)()
      throw error
    }
    await file.end()
    if (profile.closesPolitely) socket.end()
    else socket.destroy()
    return '226 Transfer complete.'
  })
}

const TICK_BYTES = 16 * 1024
/** Shorter delays are accumulated. */
const SHORTEST_MS = 5

/** Limits the speed of a stream; `rate` is called for each piece, bytes per second. */
export async function * paced (source: AsyncIterable<Buffer>, rate: () => number): AsyncGenerator<Buffer> {
  let delayMs = 0
  for await (const chunk of source) {
    if (rate() === Infinity) { yield chunk; continue }
    for (let at = 0; at < chunk.length; at += TICK_BYTES) {
      const piece = chunk.subarray(at, at + TICK_BYTES)
      delayMs += piece.length / rate() * 1000
      if (delayMs > SHORTEST_MS) {
        await sleep(delayMs, undefined, { ref: false })
        delayMs = 0
      }
      yield piece
    }
  }
}
