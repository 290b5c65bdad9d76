import { Type } from 'typebox'

const Time = Type.Number({ description: 's since the epoch' })
const Points = Type.Array(
  Type.Object({ t: Time, v: Type.Number({ description: '°C, percent, share or min, by collection' }) }),
  { description: 'Oldest first' })
export const Series = Type.Object({ name: Type.String({ description: 'Of the collection or health field' }), data: Points },
  { 'x-name': 'Series' })

const Durations = Type.Record(Type.String(), Type.Number({ description: 'Seconds in this job' }),
  { description: 'By gcode_state' })
const Collections = Type.Record(Type.String(), Series, { description: 'By name' })
const Events = Type.Array(Type.Object({ t: Time, label: Type.String({ description: 'Heater and new target' }) }),
  { description: 'Changes of heater targets' })

/** Everything recorded of a printer. */
export const Recorded = Type.Object({ collections: Collections, gcode_state_durations: Durations, events: Events },
  { 'x-name': 'Recorded' })

const Figure = Type.Union([Type.Number(), Type.Null()], { description: 'null without a value' })
const Statistics = Type.Object(
  { count: Type.Integer({ description: 'Number of values' }), min: Figure, max: Figure, avg: Figure, last: Figure },
  { 'x-name': 'Statistics' })

const Share = Type.Number({ description: '0 to 1' })
const MaybeShare = Type.Union([Type.Number(), Type.Null()], { description: '0 to 1; null unknown' })
const HealthRecord = Type.Object({
  ts: Time,
  success_pct: Share,
  confidence: MaybeShare,
  hot_pct: Share,
  strand_score: Share,
  diff_score: MaybeShare,
  remaining_min: Type.Union([Type.Number(), Type.Null()], { description: 'min; null unknown' }),
  factors: Type.Record(Type.String(), Type.Number({ description: '1 is the most risk' }))
}, { 'x-name': 'HealthRecord' })

/** Statistics, or with `raw` the recorded points; health only when the job monitor has records. */
export const History = Type.Union([
  Type.Object({
    summary: Type.Record(Type.String(), Statistics, { description: 'By collection' }),
    gcode_state_durations: Durations,
    health: Type.Optional(Type.Record(Type.String(), Statistics, { description: 'By health field' }))
  }),
  Type.Object({
    collections: Collections,
    gcode_state_durations: Durations,
    events: Events,
    health: Type.Optional(Type.Array(HealthRecord, { description: 'Oldest first' }))
  })
])
