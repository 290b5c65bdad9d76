import type { TLSSocket } from 'node:tls'
import { createDialogue, SIGNS_OF_LIFE, type DialogueOptions } from './dialogue.js'
import { readRequest, writeReply, type RtspRequest } from './request.js'

export interface RtspConnectionOptions extends DialogueOptions {
  readonly socket: TLSSocket
}

/** Limit of pending requests: a client that sends more does not read the answers. */
const MOST_WAITING = 32

/** Answers one client's requests in order, until its connection ends. */
export function serveRtsp (options: RtspConnectionOptions): void {
  const { socket, sessionSeconds, aliveBy } = options
  const dialogue = createDialogue(options)
  let got = Buffer.alloc(0)
  let queue = Promise.resolve()
  let waiting = 0
  let patience: NodeJS.Timeout | undefined

  const answer = async (request: RtspRequest): Promise<void> => {
    const reply = await dialogue.answer(request)
    if (reply === undefined) return
    const { status, headers, body } = reply
    if (socket.writable) socket.write(writeReply(status, request.headers.get('cseq') ?? '0', headers, body))
    if (request.method === 'TEARDOWN' && status === 200) socket.destroySoon()
  }

  /** Requests that change the session always count. */
  const isSignOfLife = (request: RtspRequest | undefined): boolean => {
    const sign = SIGNS_OF_LIFE.find(one => one === (request?.method ?? 'RTCP'))
    return sign === undefined ? request?.method !== 'SET_PARAMETER' : aliveBy.includes(sign)
  }

  const enqueue = (request: RtspRequest): void => {
    if (++waiting > MOST_WAITING) socket.destroy()
    queue = queue.then(() => socket.destroyed ? undefined : answer(request))
      .catch(() => { socket.destroy() })
      .finally(() => waiting--)
  }

  /** @throws Error for an invalid request */
  const take = (): void => {
    for (let read = readRequest(got); read !== undefined; read = readRequest(got)) {
      got = got.subarray(read.bytes)
      const { request } = read
      if (isSignOfLife(request)) alive()
      if (request !== undefined) enqueue(request)
    }
  }

  const alive = (): void => {
    clearTimeout(patience)
    patience = setTimeout(() => socket.destroy(), sessionSeconds * 1000).unref()
  }

  alive()
  socket.on('data', chunk => {
    got = Buffer.concat([got, chunk])
    try {
      take()
    } catch {
      got = Buffer.alloc(0)
      if (socket.writable) socket.write(writeReply(400, '0'))
      socket.destroySoon()
    }
  })
  socket.once('close', () => { clearTimeout(patience); dialogue.finish() })
}
