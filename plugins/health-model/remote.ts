import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, isIPv6 } from 'node:net'
import { Type, type Static } from 'typebox'
import { timeoutSignal, validationError, type ConnectionReport } from '../../core/index.js'
import type { Box, Reading } from './types.js'

/** A server that judges pictures: `GET /p/?img=ADDRESS`, as Obico's `ml_api` answers it. */
export interface RemoteOptions {
  /** Its address, such as `http://192.168.1.9:3333`. */
  readonly url: string
  readonly token?: string | undefined
  /** The name or address by which the server reaches this machine; detected when not given. */
  readonly ownAddress?: string | undefined
  /** Port from which it fetches pictures; any free one when not given. */
  readonly ownPort?: number | undefined
}

const ANSWER_MS = 12_000
const CONNECT_MS = 3_000
const MOST_BYTES = 1_000_000
const MOST_BOXES = 300
/** Pause after the first failure, which doubles with each further one. */
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 600_000
const TRIES = 2
/** For the pictures of all printers that are judged at the same time. */
const MOST_CONNECTIONS = 64

/** In pixels: x and y of the middle, width, height. */
const Place = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })
const Answer = Type.Object({
  detections: Type.Array(Type.Tuple([Type.String(), Type.Number(), Place]), { maxItems: MOST_BOXES })
})

/** The address of this machine's interface towards the server. */
async function ownAddressTo ({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<string> {
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, timeoutSignal(CONNECT_MS)]) })
    return socket.localAddress ?? '127.0.0.1'
  } finally {
    socket.destroy()
  }
}

/** Serves pictures under unguessable addresses. One server has them all, since a given port is there only once. */
function createPictureServer (port: number) {
  const pictures = new Map<string, Uint8Array>()
  let opened: { readonly server: Server, readonly ready: Promise<unknown> } | undefined

  function open (host: string): NonNullable<typeof opened> {
    const server = createServer({ requestTimeout: ANSWER_MS, maxHeaderSize: 8_192 }, (request, response) => {
      const jpeg = request.method === 'GET' ? pictures.get(request.url ?? '') : undefined
      response.setHeader('connection', 'close')
      if (jpeg) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg)
      else response.writeHead(404).end()
    })
    server.maxConnections = MOST_CONNECTIONS
    server.listen(port, host.startsWith('127.') ? '127.0.0.1' : undefined)
    return { server, ready: once(server, 'listening') }
  }

  function close (): void {
    opened?.server.closeAllConnections()
    opened?.server.close()
    opened = undefined
  }

  return {
    /** Serves the picture while `work` runs with its address. */
    async whileServed<T> (jpeg: Uint8Array, host: string, work: (address: string) => Promise<T>): Promise<T> {
      const path = `/${randomBytes(24).toString('hex')}.jpg`
      pictures.set(path, jpeg)
      try {
        const { server, ready } = opened ??= open(host)
        await ready
        const { port: real } = server.address() as { port: number }
        return await work(`http://${isIPv6(host) ? `[${host}]` : host}:${real}${path}`)
      } finally {
        pictures.delete(path)
        if (pictures.size === 0) close()
      }
    }
  }
}

async function bodyOf (response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > MOST_BYTES) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const clamp01 = (value: number) => value < 0 ? 0 : value > 1 ? 1 : value

/** @throws for an answer in another format */
export function readAnswer (text: string, { width, height }: { width: number, height: number }): Reading {
  const answer = JSON.parse(text) as Static<typeof Answer>
  const problem = validationError(Answer, answer)
  if (problem !== undefined) throw new Error(`the answer is not a list of detections (${problem})`)
  const likely = answer.detections.filter(([, score]) => score > 0)
  const boxes = likely.map(([label, score, [x = 0, y = 0, wide = 0, high = 0]]): Box => ({
    left: clamp01((x - wide / 2) / width),
    top: clamp01((y - high / 2) / height),
    right: clamp01((x + wide / 2) / width),
    bottom: clamp01((y + high / 2) / height),
    score: Math.min(1, score),
    label: label.slice(0, 40)
  }))
  return { value: boxes.reduce((sum, { score }) => sum + score, 0), boxes }
}

export interface RemoteDeps {
  /** Monotonic clock, ms. */
  readonly steady: () => number
  readonly warn: (message: string) => void
  readonly report?: ConnectionReport
}

/** Client of the server, with increasing pauses while it does not answer. */
export function createRemote ({ url, token, ownAddress, ownPort = 0 }: RemoteOptions, deps: RemoteDeps) {
  const { steady, warn, report } = deps
  const base = new URL(url)
  const served = createPictureServer(ownPort)
  let failures = 0
  let pausedUntil = -Infinity

  async function askOnce (address: string, signal: AbortSignal): Promise<string> {
    const target = new URL('p/', base.href.endsWith('/') ? base : `${base.href}/`)
    target.searchParams.set('img', address)
    const response = await fetch(target, {
      signal: AbortSignal.any([signal, timeoutSignal(ANSWER_MS)]),
      redirect: 'error',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
    })
    if (!response.ok) throw Object.assign(new Error(`it answers ${response.status}`), { final: response.status < 500 })
    return await bodyOf(response)
  }

  async function ask (jpeg: Uint8Array, signal: AbortSignal): Promise<Reading> {
    const { default: sharp } = await import('sharp') // on first use, as most installations have no server
    const { width = 0, height = 0 } = await sharp(jpeg).metadata()
    const host = ownAddress ?? await ownAddressTo(base, signal)
    const text = await served.whileServed(jpeg, host, async address => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await askOnce(address, signal)
        } catch (error) {
          if (attempt >= TRIES || signal.aborted || (error as { final?: boolean }).final === true) throw error
        }
      }
    })
    return readAnswer(text, { width, height })
  }

  return {
    /** @returns undefined during a pause, or when the server gave no answer */
    async judge (jpeg: Uint8Array, signal: AbortSignal): Promise<Reading | undefined> {
      if (steady() < pausedUntil) return undefined
      try {
        const reading = await ask(jpeg, signal)
        if (failures > 0) warn(`The detector at ${base.host} answers again`)
        failures = 0
        report?.connected()
        return reading
      } catch (error) {
        if (signal.aborted) return undefined
        const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
        pausedUntil = steady() + pauseMs
        report?.failed(error)
        if (failures++ > 0) return undefined
        warn(`The detector at ${base.host} does not answer (${(error as Error).message}); trying again from time to time`)
        return undefined
      }
    }
  }
}
export type Remote = ReturnType<typeof createRemote>
