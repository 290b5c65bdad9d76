/** A request of RTSP 1.0 (RFC 2326). */
export interface RtspRequest {
  readonly method: string
  readonly uri: string
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
}

/** The result of parsing, and the number of bytes consumed. */
export interface Read { readonly bytes: number, readonly request?: RtspRequest }

/** A header with several values is written as several lines. */
export type Headers = Readonly<Record<string, string | readonly string[]>>

const HEAD_END = '\r\n\r\n'
/** First byte of interleaved binary data: dollar sign, channel, length. */
const BINARY = 0x24
const BINARY_HEADER_BYTES = 4
/** Limit of a request's size. */
const LONGEST_BYTES = 16_384

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  302: 'Moved Temporarily',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Stream Not Found',
  405: 'Method Not Allowed',
  453: 'Not Enough Bandwidth',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  461: 'Unsupported Transport',
  503: 'Service Unavailable'
}

function readHead (head: string): RtspRequest | undefined {
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, uri] = /^([A-Z_]+) (\S+) RTSP\/1\.0$/.exec(first) ?? []
  if (method === undefined || uri === undefined) return undefined
  const headers = new Map(lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
  }))
  return { method, uri, headers }
}

/**
 * Reads one request, or skips binary data. Undefined while it is incomplete.
 *
 * @throws Error for anything else
 */
export function readRequest (data: Buffer): Read | undefined {
  if (data[0] === BINARY) {
    const bytes = data.length < BINARY_HEADER_BYTES ? Infinity : BINARY_HEADER_BYTES + data.readUInt16BE(2)
    return data.length >= bytes ? { bytes } : undefined
  }
  const end = data.indexOf(HEAD_END)
  if (end < 0 && data.length <= LONGEST_BYTES) return undefined
  const request = end < 0 ? undefined : readHead(data.toString('latin1', 0, end))
  if (request === undefined) throw new Error('not an RTSP request')
  const body = Number(request.headers.get('content-length') ?? 0)
  if (!(body >= 0 && body <= LONGEST_BYTES)) throw new Error('an RTSP body of no size')
  const bytes = end + HEAD_END.length + body
  return data.length >= bytes ? { bytes, request } : undefined
}

/** The reply to the request with this sequence number. */
export function writeReply (status: number, sequence: string, headers: Headers = {}, body = ''): string {
  const size = body === '' ? {} : { 'Content-Length': String(body.length) }
  const all = { CSeq: sequence, Date: new Date().toUTCString(), ...headers, ...size }
  const lines = Object.entries(all).flatMap(([name, values]) => [values].flat().map(value => `${name}: ${value}`))
  return `RTSP/1.0 ${status} ${REASONS[status] ?? ''}\r\n${lines.join('\r\n')}${HEAD_END}${body}`
}
