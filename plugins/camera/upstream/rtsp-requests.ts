import { challengeOf, createAuthorizer } from './rtsp-authorizer.js'
import { redirected, refused, unanswered, wrongCode, endedByCamera } from './rtsp-errors.js'
import { headerOf, textOf, type RtspMessage } from './rtsp-messages.js'

export interface RtspAnswer extends RtspMessage {
  readonly status: number
}

export interface RtspRequest {
  readonly method: string
  readonly uri: string
  readonly headers?: readonly string[]
}

/** Our requests on one connection, and the requests of the camera. */
export interface RtspRequests {
  /**
   * Sends a request and waits for its response, authenticated when the camera asks for it.
   * @param read processes the response before anything that follows it is parsed
   * @throws CameraError when it is refused, or not answered in time
   */
  send <T>(request: RtspRequest, read: (answer: RtspAnswer) => T): Promise<T>
  /** @throws CameraError when the camera ends the stream or redirects us */
  take (message: RtspMessage): void
  /** Rejects the pending requests. */
  close (reason: unknown): void
}

export interface RtspRequestsOptions {
  readonly accessCode: string
  readonly timeoutMs: number
  write (text: string): void
}

interface Pending {
  readonly request: RtspRequest
  readonly read: (answer: RtspAnswer) => void
  readonly reject: (reason: unknown) => void
  readonly timer: NodeJS.Timeout
  /** How often authentication was asked for. */
  asked: number
}

/** The only user name that printers know. */
const USER = 'bblp'
const AGENT = 'User-Agent: prnd'
/** Ends a loop with a camera that calls every nonce stale. */
const MOST_ASKED = 3

export function createRtspRequests ({ accessCode, timeoutMs, write }: RtspRequestsOptions): RtspRequests {
  const pending = new Map<string, Pending>()
  let sequence = 0
  let authorize: ReturnType<typeof createAuthorizer> | undefined
  let end: { readonly reason: unknown } | undefined

  function transmit (it: Pending): void {
    const { method, uri, headers = [] } = it.request
    const number = String(++sequence)
    pending.set(number, it)
    const login = authorize === undefined ? [] : [authorize(method, uri)]
    write(textOf(`${method} ${uri} RTSP/1.0`, [`CSeq: ${number}`, AGENT, ...login, ...headers]))
  }

  function expire (it: Pending): void {
    for (const [number, other] of pending) if (other === it) pending.delete(number)
    it.reject(unanswered(it.request.method, timeoutMs))
  }

  /** Cameras that do not number their responses answer in order. */
  function answered (headers: readonly string[]): Pending | undefined {
    const number = headerOf(headers, 'CSeq') ?? pending.keys().next().value ?? ''
    const it = pending.get(number)
    pending.delete(number)
    return it
  }

  function takeAnswer (answer: RtspAnswer): void {
    if (answer.status < 200) return // a provisional response
    if (answer.status >= 300 && answer.status < 400) throw redirected()
    const it = answered(answer.headers)
    if (it === undefined) return
    try {
      if (answer.status === 401) return showPassword(it, answer.headers)
      if (answer.status >= 400) throw refusal(it.request.method, answer)
      it.read(answer)
    } catch (error) {
      it.reject(error)
    }
    clearTimeout(it.timer)
  }

  /** Some cameras want each request authenticated separately. */
  function showPassword (it: Pending, headers: readonly string[]): void {
    const challenge = challengeOf(headers)
    const isStale = challenge?.scheme === 'digest' && challenge.stale
    if (challenge === undefined || it.asked >= MOST_ASKED || (it.asked > 0 && !isStale)) throw wrongCode()
    authorize = createAuthorizer(challenge, { user: USER, password: accessCode })
    it.asked++
    transmit(it)
  }

  return {
    send: (request, read) => new Promise((resolve, reject) => {
      if (end !== undefined) return reject(end.reason)
      const timer = setTimeout(() => expire(it), timeoutMs).unref()
      const it: Pending = { request, read: answer => resolve(read(answer)), reject, timer, asked: 0 }
      transmit(it)
    }),
    take (message) {
      const status = /^RTSP\/1\.\d (\d{3})/.exec(message.start)?.[1]
      if (status === undefined) answerRequest(message, write)
      else takeAnswer({ ...message, status: Number(status) })
    },
    close (reason) {
      end ??= { reason }
      for (const { reject, timer } of pending.values()) {
        clearTimeout(timer)
        reject(reason)
      }
      pending.clear()
    }
  }
}

const KNOWN = new Set(['OPTIONS', 'GET_PARAMETER', 'SET_PARAMETER', 'TEARDOWN'])

/** Answers a request of the camera. @throws CameraError when it ends the stream or redirects us */
function answerRequest ({ start, headers }: RtspMessage, write: (text: string) => void): void {
  const method = start.split(' ', 1)[0] ?? ''
  if (method === 'REDIRECT') throw redirected()
  const status = KNOWN.has(method) ? '200 OK' : '501 Not Implemented'
  const number = /^\d{1,10}/.exec(headerOf(headers, 'CSeq') ?? '')?.[0] ?? '0'
  write(textOf(`RTSP/1.0 ${status}`, [`CSeq: ${number}`]))
  if (method === 'TEARDOWN') throw endedByCamera()
}

const LONGEST_WORDS = 80
/** A camera's own text, without characters that would disturb a log. */
const plain = (text: string): string => text.slice(0, LONGEST_WORDS).replace(/[^ -~]/g, '?')

function refusal (method: string, { start, headers }: RtspAnswer) {
  const server = headerOf(headers, 'Server')
  return refused(method, plain(start.replace(/^\S+ /, '')), server && plain(server))
}
