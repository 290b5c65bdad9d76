import { realpath } from 'node:fs/promises'
import { defineError, timeoutSignal, type ReadConfig } from '../../core/index.js'
import { MANAGEMENT_PATH, type ResultLine } from '../../plugins/management/index.js'
import { findService, type FoundService } from './find-service.js'

/** The running service's error; its code is shown with it. */
export const ServiceSays = defineError<[reason: string]>('PRN_ERR_SERVICE', '%s', 502)

/** A running service with the same configuration. */
export interface Service {
  readonly port: number
  /** `prnd demo`, which has virtual printers only. */
  readonly isDemo: boolean
  /** @throws the service's error */
  act<T> (name: string, input: object, onStep: (message: string) => void): Promise<T>
  get<T> (path: string): Promise<T>
  /** Calls a route: parameters go into the path, the query or the body. @throws PRN_ERR_SERVICE with its reason */
  call<T> (method: string, path: string, params?: Params, withinMs?: number): Promise<T>
  /** The bytes of a file. @throws PRN_ERR_SERVICE with its reason */
  download (path: string): Promise<Uint8Array>
  /** Streams a body. @throws PRN_ERR_SERVICE with its reason */
  send<T> (path: string, body: AsyncIterable<Uint8Array>, type: string): Promise<T>
}

export type Params = Readonly<Record<string, unknown>>

const STATUS_WITHIN_MS = 2_000
/** Includes the time that a command waits for the printer's reply. */
const CALL_WITHIN_MS = 30_000
/** An upload without progress for this long has failed. */
const SILENT_MS = 60_000
/** Longer than the longest operation, a discovery of two minutes. */
const ACT_WITHIN_MS = 150_000

const real = (path: string) => realpath(path).catch(() => path)

/** Whether the service uses the same configuration file. Access codes are sent only to a proven service. */
async function holds ({ base, proven, fetch }: FoundService, file: string): Promise<boolean> {
  if (!proven) return false
  try {
    const reply = await fetch(base + MANAGEMENT_PATH, { signal: timeoutSignal(STATUS_WITHIN_MS) })
    const { configFile } = await reply.json() as { configFile?: unknown }
    return typeof configFile === 'string' && await real(configFile) === await real(file)
  } catch {
    return false
  }
}

interface Wanted {
  /** Also `prnd demo`, if no other runs; it has neither this configuration nor its users. */
  readonly orDemo?: boolean
}

/** @throws PRN_ERR_TOKEN_REFUSED, PRN_ERR_NOT_PROVEN */
export async function runningService ({ config, path }: ReadConfig, { orDemo = false }: Wanted = {}):
Promise<Service | undefined> {
  const found = await findService(config, async found => found.isDemo ? orDemo : await holds(found, path))
  if (found === undefined) return undefined
  const { base, port, isDemo, fetch } = found
  return {
    port,
    isDemo,
    async act<T> (name: string, input: object, onStep: (message: string) => void): Promise<T> {
      const reply = await fetch(`${base}${MANAGEMENT_PATH}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
        signal: timeoutSignal(ACT_WITHIN_MS)
      })
      if (!reply.ok || reply.body === null) throw new ServiceSays(`The service answered with status ${reply.status}`)
      return await outcomeOf<T>(linesOf(reply.body), onStep)
    },
    async get<T> (path: string): Promise<T> {
      const reply = await fetch(base + path, { signal: timeoutSignal(STATUS_WITHIN_MS) })
      return await reply.json() as T
    },
    async call<T> (method: string, path: string, params: Params = {}, withinMs = CALL_WITHIN_MS): Promise<T> {
      const texts = Object.entries(params).map(([name, value]): [string, string] => [name, String(value)])
      const query = method === 'GET' ? new URLSearchParams(texts).toString() : ''
      const asked = fetch(`${base}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        signal: timeoutSignal(withinMs),
        ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) })
      })
      return await answerOf<T>(asked, withinMs)
    },
    async download (path: string): Promise<Uint8Array> {
      const reply = await fetch(base + path, { signal: timeoutSignal(SILENT_MS) })
      if (!reply.ok) return await answerOf<never>(Promise.resolve(reply), SILENT_MS)
      return new Uint8Array(await reply.arrayBuffer())
    },
    async send<T> (path: string, body: AsyncIterable<Uint8Array>, type: string): Promise<T> {
      const silence = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const listen = () => {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(new DOMException('silent', 'TimeoutError')), SILENT_MS)
      }
      async function * watched () {
        for await (const piece of body) {
          listen()
          yield piece
        }
      }
      listen()
      try {
        const headers = { 'content-type': type }
        const init = { method: 'POST', headers, body: ReadableStream.from(watched()), signal: silence.signal, duplex: 'half' }
        return await answerOf<T>(fetch(base + path, init as RequestInit), SILENT_MS)
      } finally {
        clearTimeout(timer)
      }
    }
  }
}

const MS_PER_S = 1_000

/** @throws PRN_ERR_SERVICE with the reason of a refusal, or without an answer in time */
async function answerOf<T> (asked: Promise<Response>, withinMs: number): Promise<T> {
  const reply = await asked.catch((error: Error) => {
    if (error.name !== 'TimeoutError') throw error
    throw new ServiceSays(`The service did not answer within ${withinMs / MS_PER_S} s; prnd jobs shows what became of it`)
  })
  const body = await reply.json().catch(() => ({})) as { status?: unknown, reason?: unknown, message?: unknown }
  if (reply.ok && body.status !== 'error') return body as T
  throw new ServiceSays(String(body.reason ?? body.message ?? `The service answered with status ${reply.status}`))
}

async function * linesOf (body: AsyncIterable<Uint8Array>): AsyncGenerator<ResultLine> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as ResultLine
  }
}

async function outcomeOf<T> (lines: AsyncIterable<ResultLine>, onStep: (message: string) => void): Promise<T> {
  for await (const line of lines) {
    if ('step' in line) onStep(line.step)
    else if ('output' in line) return line.output as T
    else throw Object.assign(new Error(line.error.message), { code: line.error.code })
  }
  throw new ServiceSays('The service stopped before it answered; check the result with `prnd printers list`')
}
