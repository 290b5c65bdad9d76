import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotResumed, protect, type Passive } from './data.js'
import type { FtpFault } from './fault.js'
import type { OpenSession } from './session.js'
import { CardFull, type Sink } from './store.js'

/** A fault that ends a transfer in its middle. */
class Cut extends Error {}

const FULL = '552 Requested file action aborted. Exceeded storage allocation.'
const NO_CONNECTION = '425 Failed to establish connection.'
const LOST = { read: '426 Failure reading network stream.', write: '426 Failure writing network stream.' }

/** Lets a fault strike the bytes that pass. */
async function * spoiled (source: AsyncIterable<Buffer>, { cutAt = Infinity, stallAt = Infinity }: FtpFault,
  socket: Socket): AsyncGenerator<Buffer> {
  let count = 0
  for await (const chunk of source) {
    const left = Math.min(cutAt, stallAt) - count
    if (chunk.length < left) { yield chunk; count += chunk.length; continue }
    if (left > 0) yield chunk.subarray(0, left)
    if (cutAt <= stallAt) throw new Cut()
    if (!socket.closed) await once(socket, 'close') // until the client gives up
    throw new Error('the client went away')
  }
  if (count >= cutAt) throw new Cut()
}

const NOT_RESUMED = '522 SSL connection failed: session reuse required'

/**
 * Opens the data connection in the order of vsFTPd: the connection is awaited, the transfer announced, and only then
 * protected. The client is told when there is none.
 */
async function dataSocket (session: OpenSession, passive: Passive, opening: string): Promise<Socket | undefined> {
  const { shop, isProtected, reply } = session
  try {
    const raw = await passive.accept()
    reply(opening)
    return isProtected ? await protect(raw, shop.secure, shop.profile.mustResume) : raw
  } catch (error) {
    if (error instanceof NotResumed) reply(NOT_RESUMED)
    else {
      passive.close()
      reply(NO_CONNECTION)
    }
    return undefined
  }
}

/** One transfer from its first reply to its last. @param work moves the bytes */
async function transfer (session: OpenSession, opening: string, fault: FtpFault, lost: string,
  work: (socket: Socket) => Promise<string>): Promise<void> {
  const { shop, reply, passive } = session
  if (passive === undefined) return reply('425 Use PORT or PASV first.')
  if (shop.transfers >= shop.mostTransfers) {
    passive.close()
    session.passive = undefined
    return reply(NO_CONNECTION)
  }
  shop.transfers++
  let socket: Socket | undefined
  try {
    socket = await dataSocket(session, passive, opening)
    if (socket === undefined) return
    socket.setTimeout(shop.stallMs, function (this: Socket) { this.destroy() })
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
    shop.transfers--
    session.passive = undefined
  }
}

const DRAIN_MS = 1_000

/** Closed with bytes unread, the connection would be reset, and the client would not hear the reason. */
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

/** Sends bytes and says goodbye. */
export async function send (session: OpenSession, opening: string, source: AsyncIterable<Buffer>,
  fault: FtpFault | undefined, done: string): Promise<void> {
  const { card } = session
  const strikes = fault ?? { command: '' }
  await transfer(session, opening, strikes, LOST.write, async socket => {
    socket.resume()
    for await (const chunk of spoiled(paced(source, () => card.bytesPerSecond), strikes, socket)) {
      if (!card.present) throw new Error('the card is gone')
      await put(socket, chunk)
    }
    socket.end()
    if (!socket.closed) await once(socket, 'close')
    return done
  })
}

/** Takes bytes until the client ends. */
export async function take (session: OpenSession, opening: string, sink: () => Promise<Sink>,
  fault: FtpFault | undefined): Promise<void> {
  const { card, shop: { profile } } = session
  const strikes = fault ?? { command: '' }
  await transfer(session, opening, strikes, LOST.read, async socket => {
    const file = await sink()
    try {
      const source = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
      const arriving = spoiled(paced(source, () => card.bytesPerSecond), strikes, socket)
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
/** Short debts are not worth a timer. */
const SHORTEST_MS = 5

/** Lets bytes through no faster than a rate allows; `rate` is asked again for each piece. */
export async function * paced (source: AsyncIterable<Buffer>, rate: () => number): AsyncGenerator<Buffer> {
  let debtMs = 0
  for await (const chunk of source) {
    if (rate() === Infinity) { yield chunk; continue }
    for (let at = 0; at < chunk.length; at += TICK_BYTES) {
      const piece = chunk.subarray(at, at + TICK_BYTES)
      debtMs += piece.length / rate() * 1000
      if (debtMs > SHORTEST_MS) {
        await sleep(debtMs, undefined, { ref: false })
        debtMs = 0
      }
      yield piece
    }
  }
}
