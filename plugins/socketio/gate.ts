import type { FastifyInstance } from 'fastify'
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http'
import { API_PREFIX } from '../../core/index.js'

/** Internal route: whether a request is admitted. It is a POST, because other sites must not send writes. */
const ADMISSION = `${API_PREFIX}/socket_admission`
/** The same for a new client. */
const ADMISSION_OF_NEW = `${ADMISSION}/new`

/** Headers that the rules on hosts, origins and tokens check. */
const JUDGED = ['host', 'origin', 'sec-fetch-site', 'authorization', 'cookie', 'x-forwarded-for'] as const

interface Refusal { readonly status: number, readonly body: string }
/** Address of an admitted client, behind trusted proxies. */
interface Admission { readonly address: string }

/** Throws when the limit for clients, or for clients from this address, is reached. */
type CheckRoom = (address: string) => void

/** Address of an admitted request. */
type AddressOf = (request: IncomingMessage) => string

/** Whether a client that was admitted would still be. */
type IsStillAdmitted = (request: IncomingMessage) => Promise<boolean>

type Gate = (request: IncomingMessage, response: object, next: () => void) => void

const peerOf = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress

async function judge (app: FastifyInstance, { url = '', headers }: IncomingMessage, peer: string | undefined,
  isNew: (query: URLSearchParams) => boolean): Promise<Refusal | Admission> {
  const query = new URLSearchParams(url.split('?')[1])
  // JSONP answers could be read by any site, because scripts may be loaded across origins.
  if (query.has('j')) return { status: 400, body: '{"status":"error","error":"bad_input"}' }
  const given = JUDGED.map(name => [name, headers[name]] as const).filter(([, value]) => value !== undefined)
  const { statusCode: status, body } = await app.inject({
    method: 'POST',
    url: isNew(query) ? ADMISSION_OF_NEW : ADMISSION,
    headers: Object.fromEntries(given) as Record<string, string>,
    ...(peer !== undefined && { remoteAddress: peer })
  })
  return status === 200 ? JSON.parse(body) as Admission : { status, body }
}

function refuse ({ socket }: IncomingMessage, response: object, { status, body }: Refusal): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
  if (response instanceof ServerResponse) {
    response.writeHead(status, headers).end(body)
  } else { // an upgrade, for which the library would send no answer
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n\r\n`)
  }
}

/**
 * Checks every request of a Socket.IO client like any other request, also within an open session: the session id does
 * not prove who is asking.
 */
export function createGate (app: FastifyInstance, checkRoom: CheckRoom):
{ gate: Gate, addressOf: AddressOf, isStillAdmitted: IsStillAdmitted } {
  const admitted = new WeakMap<IncomingMessage, Admission & { readonly peer: string | undefined }>()
  app.post(ADMISSION, { schema: { hide: true } }, async ({ ip }): Promise<Admission> => ({ address: ip }))
  app.post(ADMISSION_OF_NEW, { schema: { hide: true } }, async ({ ip }): Promise<Admission> => {
    checkRoom(ip)
    return { address: ip }
  })
  const broken: Refusal = { status: 503, body: '' }
  return {
    gate (request, response, next) {
      const peer = peerOf(request)
      judge(app, request, peer, query => !query.has('sid')).catch(() => broken).then(judged => {
        if ('status' in judged) return refuse(request, response, judged)
        admitted.set(request, { ...judged, peer })
        next()
      }, () => {})
    },
    addressOf: request => admitted.get(request)?.address ?? '',
    async isStillAdmitted (request) {
      const judged = await judge(app, request, admitted.get(request)?.peer, () => false).catch(() => broken)
      return !('status' in judged)
    }
  }
}
