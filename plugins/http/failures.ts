import {
  accessOf, BadInput, CommandLost, Failure, NoPrinter, NotConnected, policy, PrinterBusy, Refused, SendTimeout,
  ShuttingDown, SignatureRequired, TrustedOnly, Unsupported, type Method, type Route
} from '../../core/index.js'
import { Forbidden, TooManyRequests, TooManyTries, Unauthorized, UnsupportedMediaType } from './errors.js'
import type { Dialect, Failing } from './dialect.js'

/** Properties of a route that determine its possible failures. */
export interface Risks {
  readonly method: Method
  /** Acts on one printer. */
  readonly printer: boolean
  /** Sends something to a printer. */
  readonly acts: boolean
  /** Has a precondition on the printer's state. */
  readonly guarded?: boolean
  /** Rate-limited. */
  readonly limited: boolean
  /** Credentials are required. */
  readonly locked: boolean
  /** Errors specific to the route. */
  readonly errors: readonly Failing[]
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Refused because of the request; nothing was sent to a printer',
  401: 'The token is missing or wrong',
  403: 'Refused because of where the request comes from, or because of what it would affect',
  404: 'Not found',
  409: "Refused because of the printer's state, or by the printer",
  413: 'The body is too large',
  415: 'The body is of a content type that is not accepted here',
  429: 'Too many requests; `retry_after` says when to try again',
  500: 'Unexpected failure',
  502: 'The SD card or the camera of the printer failed',
  503: 'The service is shutting down, or has no room for more',
  504: 'No answer in time; whether the printer acted on it is not known'
}

/** Errors without a class. */
const UNEXPECTED: Failing = { code: 'PRN_ERR_UNEXPECTED', statusCode: 500 }
const TOO_LARGE: Failing = { code: 'PRN_ERR_TOO_LARGE', statusCode: 413 }

const kindsOf = ({ method, printer, acts, guarded = false, limited, locked, errors }: Risks): readonly Failing[] => [
  BadInput, Forbidden, ShuttingDown, UNEXPECTED,
  ...(locked ? [Unauthorized, TooManyTries] : []),
  ...(method === 'GET' ? [] : [UnsupportedMediaType, TOO_LARGE]),
  ...(printer ? [NotConnected, NoPrinter] : []),
  ...(acts ? [Unsupported, Refused, SignatureRequired, SendTimeout, CommandLost] : []),
  ...(guarded ? [PrinterBusy] : []),
  ...(limited ? [TooManyRequests] : []),
  ...errors
]

const slugOf = ({ code }: Failing): string => code.slice('PRN_ERR_'.length).toLowerCase()

function describe (status: number, kinds: readonly Failing[]): string {
  const slugs = [...new Set(kinds.filter(kind => kind !== UNEXPECTED).map(slugOf))]
  const meaning = MEANINGS[status] ?? 'Failed'
  return slugs.length === 0 ? meaning : `${meaning}. Codes: ${slugs.map(slug => `\`${slug}\``).join(', ')}`
}

/** The descriptions of all failures, by status. */
export function failuresOf (risks: Risks, { described }: Pick<Dialect, 'described'>): Readonly<Record<number, object>> {
  const { statusOf = ({ statusCode }: Failing) => statusCode, body = Failure } = described ?? {}
  const groups = new Map<number, Failing[]>()
  for (const kind of kindsOf(risks)) {
    const status = statusOf(kind)
    groups.set(status, [...groups.get(status) ?? [], kind])
  }
  return Object.fromEntries([...groups].map(([status, kinds]) =>
    [status, { description: describe(status, kinds), content: { 'application/json': { schema: body } } }]))
}

export const risksOf = ({ method, operation }: Route, limited: boolean, locked: boolean): Risks => ({
  method,
  printer: operation.scope === 'printer',
  acts: policy[operation.effect].permission,
  guarded: (operation.guards ?? []).length > 0,
  limited,
  locked,
  errors: [...(accessOf(operation) === 'trusted' ? [TrustedOnly] : []), ...operation.errors ?? []]
})
