import { Type, type Static, type TSchema } from 'typebox'
import {
  CONNECTION_ERROR_CODES, SERVICE_STATES, type PrinterState, type SessionContext, validationError
} from '../../core/index.js'

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: 500 })

/** What a node says of itself every few seconds. Calls name the last one seen: so an old call is told from a new. */
export const Beat = Type.Object({
  /** Of one run of the node's process. */
  run: Text,
  number: Count,
  printers: Count,
  version: Text,
  /** Public keys of the hubs from which it takes calls. */
  hubs: Type.Array(Text, { maxItems: 100 })
})
export type Beat = Static<typeof Beat>

/** What is kept of a printer for the rest of the fleet. */
export const PrinterValue = Type.Object({
  name: Text,
  run: Text,
  /** Of all that this run has told: a value is not replaced by an older one. */
  number: Count,
  /** Of a shared printer: the later holder has the larger number. */
  epoch: Type.Optional(Count),
  config: Type.Object({
    host: Text,
    serial: Text,
    model: Type.Optional(Text),
    ports: Type.Object({ mqtt: Count, ftps: Count, camera: Count, rtsps: Count }),
    tls: Type.Unsafe<{ mode: 'ca' | 'pin' | 'insecure', fingerprint?: string }>(Type.Object({ mode: Text }))
  }),
  model: Text,
  /** Place among the printers of its node. */
  order: Type.Optional(Count),
  /** It is configured, and its session was ended. */
  ended: Type.Optional(Type.Boolean()),
  service: Type.Enum(SERVICE_STATES),
  live: Type.Boolean(),
  verbose: Type.Boolean(),
  /** ms since the last message of the printer: clocks of two machines may differ. */
  messageAgeMs: Type.Optional(Type.Number({ minimum: 0 })),
  problem: Type.Optional(Type.Object({
    code: Type.Enum(CONNECTION_ERROR_CODES), message: Type.String({ maxLength: 4000 }), ageMs: Type.Number()
  })),
  warnings: Type.Record(Type.String(), Type.Number()),
  state: Type.Optional(Type.Unsafe<PrinterState>(Type.Object({}))),
  context: Type.Unsafe<SessionContext>(Type.Object({}))
})
export type PrinterValue = Static<typeof PrinterValue>

/** Apart from what changes while a session runs. */
export const isSamePrinter = (a: PrinterValue, b: PrinterValue): boolean =>
  a.name === b.name && a.epoch === b.epoch && a.order === b.order &&
  a.ended === b.ended && JSON.stringify(a.config) === JSON.stringify(b.config)

/** Said of a printer that the node does not have any more. */
export const PrinterGone = Type.Object({ run: Text, number: Count })
export type PrinterGone = Static<typeof PrinterGone>

/** A hub introduces itself to a node that does not know its key. */
export const HubIntroduction = Type.Object({ hub: Text })
export type HubIntroduction = Static<typeof HubIntroduction>

/** An operation for a printer of the node that is asked. */
export const CallRequest = Type.Object({
  /** Where the answer goes; another one for each time the call is sent, so one that comes again is a copy. */
  reply: Text,
  /** The run and the beat of the node as the caller knows them. */
  run: Text,
  beat: Count,
  /** Of a shared printer, as the caller knows it. */
  epoch: Type.Optional(Count),
  /** Names the call: one that comes twice is done once. */
  key: Type.String({ minLength: 16, maxLength: 64 }),
  printer: Text,
  operation: Text,
  input: Type.Unsafe<object>(Type.Object({})),
  isRead: Type.Boolean(),
  caller: Type.Optional(Type.Enum(['local', 'token', 'network'])),
  host: Text,
  surface: Type.Optional(Text)
})
export type CallRequest = Static<typeof CallRequest>

/** An alert on its way; `journal` and `number` tell it from every other. */
export const AlertEvent = Type.Object({
  journal: Text,
  number: Count,
  alert: Type.Object({
    type: Text,
    printer: Text,
    timestamp: Text,
    severity: Type.Enum(['high', 'medium', 'low']),
    payload: Type.Record(Type.String(), Type.Unknown())
  })
})
export type AlertEvent = Static<typeof AlertEvent>

/** Of what came over the network only what has the right shape; undefined for the rest. */
export function checked<S extends TSchema> (schema: S, bytes: Buffer): Static<S> | undefined {
  try {
    const value = JSON.parse(bytes.toString()) as Static<S>
    return validationError(schema, value) === undefined ? value : undefined
  } catch {
    return undefined
  }
}
