import { Type } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { acknowledge, countOpen, list, positionOf, type Db } from './queries.js'

const MOST_ROWS = 200
const USUAL_ROWS = 50
const TONES = ['bad', 'warn', 'plain'] as const
const Time = Type.String({ description: 'ISO 8601, UTC' })
const Count = Type.Integer({ description: 'Unacknowledged alerts' })

export const LoggedAlert = Type.Object({
  id: Type.String(),
  at: Time,
  printer: Type.String(),
  type: Type.String(),
  tone: Type.Enum(TONES, { description: 'An error, a warning, or neither' }),
  payload: Type.Record(Type.String(), Type.Unknown()),
  acknowledged_at: Type.Union([Time, Type.Null()], { description: 'Alerts that need no action are acknowledged when they are raised' }),
  acknowledged_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Who acknowledged it, such as `http (local)`; null where no action was needed'
  })
})

export const listAlerts = operation({
  name: 'alertlog.list',
  summary: 'Past alerts, newest first; the queue of unread alerts is not affected',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    printer_name: Type.Optional(Type.String({ maxLength: 64 })),
    open: Type.Optional(Type.Boolean({ description: 'Only unacknowledged ones' })),
    tone: Type.Optional(Type.Enum(TONES, { description: 'Only those' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS })),
    cursor: Type.Optional(Type.String({ maxLength: 100, description: 'From the page before' }))
  }),
  output: Type.Object({
    alerts: Type.Array(LoggedAlert),
    unacknowledged: Count,
    cursor: Type.Union([Type.String(), Type.Null()])
  }),
  async run ({ services: { database } }, { limit = USUAL_ROWS, cursor, printer_name: printer, open = false, tone }) {
    const after = cursor === undefined ? undefined : positionOf(cursor)
    if (cursor !== undefined && after === undefined) throw new BadInput('cursor must be that of an earlier page')
    return await database.query(async (db: Db) => ({
      ...await list(db, { printer, open, tone, limit, after }), unacknowledged: await countOpen(db)
    }))
  }
})

export const countAlerts = operation({
  name: 'alertlog.count',
  summary: 'Number of unacknowledged alerts',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ unacknowledged: Count }),
  run: async ({ services: { database } }) => ({ unacknowledged: await database.query(countOpen) })
})

export const acknowledgeAlerts = operation({
  name: 'alertlog.acknowledge',
  summary: 'Acknowledge alerts',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The alerts are acknowledged for everyone; nothing on the printer changes.',
  input: Type.Object({
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MOST_ROWS })),
    until: Type.Optional(Type.String({ maxLength: 40, description: 'All alerts until this time; ISO 8601' })),
    printer_name: Type.Optional(Type.String({ maxLength: 64, description: 'Only alerts of this printer' }))
  }),
  output: Type.Object({ acknowledged: Type.Integer(), unacknowledged: Count }),
  async run ({ kernel, askedBy, services: { database } }, { ids, until, printer_name: printer }) {
    const limit = until === undefined ? undefined : Date.parse(until)
    if ((ids === undefined) === (limit === undefined) || Number.isNaN(limit)) throw new BadInput('Give either ids or until')
    return await database.query(async (db: Db) => {
      const acknowledged = await acknowledge(db, { ids, until: limit, printer }, kernel.now(), askedBy)
      return { acknowledged, unacknowledged: await countOpen(db) }
    })
  }
})
