import { Type, type Static, type TSchema } from 'typebox'
import {
  CONNECTION_ERROR_CODES, SERVICE_STATES, type PrinterState, type SessionContext, validationError
} from '../../core/index.js'

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: 500 })

/** It answers dry runs. */
export const DRY_RUNS = 'dry-runs'

/** Sent by a node every few seconds. A call names the last one that the hub knows, so that old calls are recognised. */
export const Heartbeat = Type.Object({
  /** Identifies one run of the node's process. */
  run: Text,
  number: Count,
  printers: Count,
  version: Text,
  /** What it can do that older versions cannot. */
  abilities: Type.Optional(Type.Array(Text, { maxItems: 100 })),
  /** Public keys of the hubs whose calls it accepts. */
  hubs: Type.Array(Text, { maxItems: 100 })
})
export type Heartbeat = Static<typeof Heartbeat>

/** The state of a printer as stored for the rest of the fleet. */
export const PrinterValue = Type.Object({
  name: Text,
  run: Text,
  /** Counts the values of this run, so that a value is never replaced by an older one. */
  number: Count,
  /** Of a shared printer: a later holder has a larger number. */
  epoch: Type.Optional(Count),
  config: Type.Object({
    host: Text,
    serial: Text,
    model: Type.Optional(Text),
    ports: Type.Object({ mqtt: Count, ftps: Count, camera: Count, rtsps: Count }),
    tls: Type.Unsafe<{ mode: 'ca' | 'pin' | 'insecure', fingerprint?: string }>(Type.Object({ mode: Text }))
  }),
  model: Text,
  /** Position among the printers of its node. */
  order: Type.Optional(Count),
  /** It is configured, but its session was ended. */
  ended: Type.Optional(Type.Boolean()),
  service: Type.Enum(SERVICE_STATES),
  live: Type.Boolean(),
  verbose: Type.Boolean(),
  /** ms since the last message of the printer; an age, because the clocks of two machines may differ. */
  messageAgeMs: Type.Optional(Type.Number({ minimum: 0 })),
  problem: Type.Optional(Type.Object({
    code: Type.Enum(CONNECTION_ERROR_CODES), message: Type.String({ maxLength: 4000 }), ageMs: Type.Number()
  })),
  warnings: Type.Record(Type.String(), Type.Number()),
  state: Type.Optional(Type.Unsafe<PrinterState>(Type.Object({}))),
  context: Type.Unsafe<SessionContext>(Type.Object({}))
})
export type PrinterValue = Static<typeof PrinterValue>

/** Compares everything but what changes while a session runs. */
export const isSamePrinter = (a: PrinterValue, b: PrinterValue): boolean =>
  a.name === b.name && a.epoch === b.epoch && a.order === b.order &&
  a.ended === b.ended && JSON.stringify(a.config) === JSON.stringify(b.config)

/** Published for a printer that the node no longer has. */
export const PrinterGone = Type.Object({ run: Text, number: Count })
export type PrinterGone = Static<typeof PrinterGone>

/** A hub introduces itself to a node that does not know its key. */
export const HubIntroduction = Type.Object({ hub: Text })
export type HubIntroduction = Static<typeof HubIntroduction>

/** Kind of subject of a call: older nodes listen to `do` only, so a dry run can never be done by one. */
export const subjectKind = ({ dryRun }: { readonly dryRun?: true | undefined }): 'do' | 'try' => dryRun ? 'try' : 'do'

/** A call of an operation on the addressed node. */
export const CallRequest = Type.Object({
  /** Inbox for the answer; a new one each time the call is sent, so a repeated one is a replay. */
  reply: Text,
  /** Run and number of the node's last heartbeat that the caller knows. */
  run: Text,
  beat: Count,
  /** Of a shared printer, as the caller knows it. */
  epoch: Type.Optional(Count),
  /** Identifies the call: one that arrives twice is run once. */
  key: Type.String({ minLength: 16, maxLength: 64 }),
  printer: Text,
  operation: Text,
  input: Type.Unsafe<object>(Type.Object({})),
  isRead: Type.Boolean(),
  /** Only to say what would happen. Such a call has a subject of its own, to which no older node listens. */
  dryRun: Type.Optional(Type.Literal(true)),
  caller: Type.Optional(Type.Enum(['local', 'token', 'network'])),
  host: Text,
  surface: Type.Optional(Text)
})
export type CallRequest = Static<typeof CallRequest>

/** An alert in transit, identified by `journal` and `number`. */
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

/** Parses what came over the network; undefined unless it matches the schema. */
export function checked<S extends TSchema> (schema: S, bytes: Buffer): Static<S> | undefined {
  try {
    const value = JSON.parse(bytes.toString()) as Static<S>
    return validationError(schema, value) === undefined ? value : undefined
  } catch {
    return undefined
  }
}
