import { Type, type Static } from 'typebox'
import { CONDITIONS, type Condition } from '../state/index.js'

const Conditions = Type.Enum(Object.keys(CONDITIONS) as Condition[], {
  description: 'What the printer is doing. `error`: a fault is active; `stale`: connected, but silent; `unwatched`: its ' +
    'session is paused'
})

const Coarse = Type.Union([Type.Integer(), Type.Null()], {
  description: '°C: the target while it is reached, otherwise to 10 °C; null while cold, or without a sensor'
})

/** Summary of one printer. */
export const PrinterSummary = Type.Object({
  name: Type.String(),
  model: Type.String({ description: 'Such as X1C; empty while unknown' }),
  tags: Type.Array(Type.String(), { description: 'Names of groups it belongs to' }),
  condition: Conditions,
  needs_person: Type.Boolean({
    description: 'A fault is active, its job failed or is paused, a part is on its plate, or jobs wait for its plate'
  }),
  need: Type.Union([Type.Enum(['fault', 'failed', 'paused', 'start', 'held', 'plate']), Type.Null()], {
    description: 'What a person should look at first: `start`: whether a print began; `plate`: a part is on it, or jobs ' +
      'wait for it'
  }),
  is_free: Type.Boolean({ description: 'A job could start: it is idle and needs no one' }),
  job: Type.Union([Type.Null(), Type.Object({
    name: Type.String(),
    percent: Type.Number(),
    layer: Type.Integer(),
    layers: Type.Integer(),
    ends_at: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, to the minute; null unless it runs' })
  })], { description: 'The current or last job; null when there was none' }),
  spool: Type.Union([Type.Null(), Type.Object({
    type: Type.String(),
    color: Type.String({ description: '#RRGGBB; empty while unknown' }),
    colors: Type.Array(Type.String(), { description: 'All its colours as #RRGGBBAA' }),
    remaining_percent: Type.Integer({ description: '-1 unknown' })
  })], { description: 'What feeds the nozzle' }),
  spools: Type.Array(Type.Object({
    ams_id: Type.Integer({ description: '0 to 3 units of four slots, 128 to 135 AMS HT, 254 and 255 external holders' }),
    slot: Type.Integer({ description: 'Counted from 0' }),
    type: Type.String({ description: 'Empty for an empty slot' }),
    colors: Type.Array(Type.String(), { description: 'All its colours as #RRGGBBAA' }),
    remaining_percent: Type.Integer({ description: '-1 unknown' })
  }), { description: 'All slots, including empty ones, then the external holders' }),
  temperatures: Type.Union([Type.Null(), Type.Object({
    nozzle: Coarse,
    bed: Coarse,
    chamber: Coarse
  })], { description: 'Null without a report' }),
  filaments: Type.Array(Type.String(), { description: 'Distinct loaded types' }),
  light: Type.Boolean(),
  has_light: Type.Boolean(),
  bed_max_c: Type.Union([Type.Integer(), Type.Null()], { description: 'Most for the bed, °C; null unknown' }),
  nozzle_max_c: Type.Union([Type.Integer(), Type.Null()], { description: 'Most for a nozzle, °C; null unknown' }),
  video: Type.Boolean({ description: 'The camera sends video; otherwise pictures' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'One sentence when something is wrong' }),
  since: Type.Union([Type.String(), Type.Null()], {
    description: 'ISO 8601, to the minute: the last message of a printer that is offline or silent'
  })
})
export type PrinterSummary = Static<typeof PrinterSummary>

/** What a tab of a browser says. */
export const FleetSummary = Type.Object({
  total: Type.Integer(),
  printing: Type.Integer({ description: 'Printing or preparing' }),
  needs_person: Type.Integer(),
  offline: Type.Integer({ description: 'Offline or silent' }),
  free: Type.Integer({ description: 'A job could start' }),
  percent: Type.Union([Type.Number(), Type.Null()], { description: 'Of the only job that runs; null for none or several' })
})

export const Fleet = Type.Object({
  printers: Type.Array(PrinterSummary, { description: 'Those that need a person first, then by name' }),
  counts: Type.Object({
    total: Type.Integer(),
    printing: Type.Integer({ description: 'Printing or preparing' }),
    needs_person: Type.Integer(),
    offline: Type.Integer({ description: 'Offline or silent' }),
    idle: Type.Integer({ description: 'Idle, finished or cancelled' }),
    free: Type.Integer({ description: 'A job could start' })
  }),
  next_free_at: Type.Union([Type.String(), Type.Null()], { description: 'When the next print ends; ISO 8601' })
})
export type Fleet = Static<typeof Fleet>
