import { Type, type Static, type TObject } from 'typebox'
import { RUN_STATES } from './tables.js'

const OrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const Said = Type.Object({
  code: Type.String(),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  text: Type.String({ description: 'In English' })
})

const Limited = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Union([Type.Number({ minimum, maximum }), Type.Null()], { description }))
const Whole = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum, maximum }), Type.Null()], { description }))
const Clock = (description: string) => Type.Optional(Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$', description }))

/** Members of a plan that callers give. */
export const planFields = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  printer: Type.Optional(Type.String({ maxLength: 64, description: 'Its name; empty: every one' })),
  unit: Whole(0, 255, 'Id of an AMS unit, as reported; null: every one'),
  materials: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: '^[^,]*$' }), {
    maxItems: 20, description: 'Such as `PETG`, or `PA` for `PA-CF` too; none: any'
  })),
  humidity_percent: Limited(1, 100, 'From this relative humidity in the unit on; null: no matter'),
  days: Limited(0.5, 365, 'So many days after a spool was dried or opened; null: no matter'),
  from: Clock('Begins not before this time of day, `HH:MM`; empty: at any time'),
  until: Clock('Begins before this time of day; a drying that began goes on'),
  time_zone: Type.Optional(Type.String({ maxLength: 60, description: 'Of these times, such as `Europe/Berlin`; a new plan has that of the machine' })),
  celsius: Whole(45, 85, 'At most so hot, °C; null: as hot as all spools in the unit stand'),
  hours: Whole(1, 24, 'null: as long as the materials take'),
  rotate: Type.Optional(Type.Boolean({ description: 'Turn the spools meanwhile' })),
  power_group: Type.Optional(Type.String({ maxLength: 40, description: 'Of the units of a group, one dries at a time' })),
  holds_queue: Type.Optional(Type.Boolean({ description: 'The queue starts nothing on the printer while it dries' }))
}
export type GivenPlan = Static<TObject<typeof planFields>>

export const PlanView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  printer: Type.String(),
  unit: OrNull('Id of an AMS unit; null: every one'),
  materials: Type.Array(Type.String()),
  humidity_percent: OrNull('Null: no matter'),
  days: OrNull('Null: no matter'),
  from: Type.String(),
  until: Type.String(),
  time_zone: Type.String(),
  celsius: OrNull('°C; null: as hot as all spools in the unit stand'),
  hours: OrNull('Null: as long as the materials take'),
  rotate: Type.Boolean(),
  power_group: Type.String(),
  holds_queue: Type.Boolean(),
  revision: Type.Integer({ description: 'Grows with each change; to be named when it is accepted' }),
  accepted_by: Type.String({ description: 'Empty: nobody, and nothing is dried by it' }),
  accepted_at: OrNull('ms since the epoch'),
  created_by: Type.String(),
  created_at: Type.Number(),
  consequences: Type.Array(Said, { description: 'What it does once it is accepted' })
}, { 'x-name': 'DryingPlan' })
export type PlanView = Static<typeof PlanView>

export const RunView = Type.Object({
  id: Type.String(),
  plan: Type.String(),
  plan_name: Type.String(),
  printer: Type.String(),
  unit: Type.Integer(),
  celsius: Type.Integer(),
  hours: Type.Integer(),
  materials: Type.Array(Type.String()),
  spools: Type.Array(Type.String(), { description: 'Ids' }),
  state: Type.Enum(RUN_STATES),
  reason: Type.String({ description: 'Why it ended early, or could not begin' }),
  began_at: Type.Number({ description: 'ms since the epoch' }),
  ended_at: OrNull('ms since the epoch; null: not yet')
}, { 'x-name': 'Drying' })

export const OutlookView = Type.Object({
  plans: Type.Array(PlanView),
  units: Type.Array(Type.Object({
    printer: Type.String(),
    unit: Type.Integer(),
    model: Type.String(),
    humidity_percent: OrNull('Null unknown'),
    slots: Type.Array(Type.Object({
      slot: Type.Integer(),
      material: Type.String({ description: 'Empty when unknown' }),
      limit_c: Type.Number({ description: 'The lowest of what its type, its tag and its material stand, °C' }),
      dry_since: OrNull('When it was dried or opened, ms since the epoch; null unknown'),
      spool: Type.String()
    })),
    plans: Type.Array(Type.Object({
      plan: Type.String(),
      starts: Type.Boolean({ description: 'It begins with the next turn' }),
      celsius: OrNull('Null: no temperature is possible'),
      hours: OrNull(''),
      reasons: Type.Array(Said, { description: 'Why it does not begin now' })
    }))
  })),
  runs: Type.Array(RunView, { description: 'Newest first, at most 100' })
}, { 'x-name': 'DryingOutlook' })
