import { CameraError } from './camera-error.js'
import { asksForPassword, authorization, challengeOf, sequenceOf, type Challenge } from './rtsp-auth.js'
import { createRtspParser, headerOf, textOf, type RtspPart } from './rtsp-messages.js'

/** Both sides of one RTSP connection that runs through us. */
export interface RtspRewriter {
  /** From the player. */
  request (piece: Buffer): void
  /** From the camera. */
  answer (piece: Buffer): void
}

export interface RtspRewriterOptions {
  /** Beginning of the address as the player spells it, and as the camera expects it. */
  readonly ours: string
  readonly theirs: string
  readonly accessCode: string
  toCamera (bytes: Buffer): void
  toPlayer (bytes: Buffer): void
}

/** The only user a printer knows. */
const USER = 'bblp'

interface Request {
  readonly method: string
  readonly uri: string
  /** What follows the address in the first line. */
  readonly rest: string
  readonly headers: readonly string[]
  readonly body: Buffer
}

/**
 * Stands between a player that knows no password and a camera that wants one: requests get the camera's address and
 * the password, its refusals are answered here, everything else passes as it is.
 */
export function createRtspRewriter ({
  ours, theirs, accessCode, toCamera,
  toPlayer
}: RtspRewriterOptions): RtspRewriter {
  const pending = new Map<string, Request & { asked: boolean }>()
  let challenge: Challenge | undefined

  function send (request: Request): void {
    const { method, uri, rest, headers, body } = request
    const login = challenge && authorization(challenge, { user: USER, password: accessCode }, method, uri)
    toCamera(textOf(`${method} ${uri} ${rest}`, [...headers, ...(login === undefined ? [] : [login])], body))
  }

  function onRequest (part: RtspPart): void {
    if (part.kind === 'media') return toCamera(part.bytes)
    const [method = '', address = '', rest = 'RTSP/1.0'] = part.start.split(' ')
    const uri = address.startsWith(ours) ? theirs + address.slice(ours.length) : address
    const headers = part.headers.filter(line => !/^authorization:/i.test(line))
    const request = { method, uri, rest, headers, body: part.body, asked: false }
    const sequence = sequenceOf(headers)
    if (sequence !== undefined) pending.set(sequence, request)
    send(request)
  }

  function onAnswer (part: RtspPart): void {
    if (part.kind === 'media') return toPlayer(part.bytes)
    const { start, headers, body } = part
    checkRedirect(start)
    const sequence = sequenceOf(headers)
    const request = sequence === undefined ? undefined : pending.get(sequence)
    if (asksForPassword(start) && request !== undefined) return showPassword(request, headers)
    if (sequence !== undefined) pending.delete(sequence)
    checkAnswer(start, request?.method, headers)
    toPlayer(textOf(start, headers, body))
  }

  function showPassword (request: Request & { asked: boolean }, headers: readonly string[]): void {
    const next = challengeOf(headers)
    const stale = /\bstale="?true/i.test(headerOf(headers, 'WWW-Authenticate') ?? '')
    if (next === undefined || (request.asked && !stale)) throw wrongCode()
    challenge = next
    request.asked = true
    send(request)
  }

  return { request: createRtspParser(onRequest), answer: createRtspParser(onAnswer) }
}

const wrongCode = () => new CameraError('access_code_rejected',
  'The camera rejected the access code. It is shown on the printer\'s screen and changes with LAN-only mode.')

/** The player would follow it, past us, to wherever the camera says. */
function checkRedirect (start: string): void {
  if (!/^RTSP\/1\.\d 3\d\d|^REDIRECT /.test(start)) return
  throw new CameraError('bad_data', 'The camera redirects to another address, which is not followed')
}

/** What the camera refuses it says here; the player would only say that it failed. */
function checkAnswer (start: string, method: string | undefined, headers: readonly string[]): void {
  const status = Number(/^RTSP\/1\.\d (\d{3})/.exec(start)?.[1])
  if (!(status >= 400) || method === 'GET_PARAMETER' || method === 'OPTIONS' || method === 'TEARDOWN') return
  const words = start.replace(/^\S+ /, '')
  const server = headerOf(headers, 'Server')
  throw new CameraError(status === 401 || status === 403 ? 'access_code_rejected' : 'lost',
    `The camera refused ${method ?? 'a request'}: ${words}${server ? ` (${server})` : ''}`)
}
