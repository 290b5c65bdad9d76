import { Type, type Static } from 'typebox'
import { COUNTERS, type Counters } from './counters.js'

const Time = (description: string) => Type.Integer({ description: `${description}, ms since the epoch` })
const Amount = (description: string) => Type.Number({ description })

export const Id = Type.String({ minLength: 1, maxLength: 64 })
export const PrinterName = Type.String({ minLength: 1, maxLength: 64 })

const COUNTED = {
  hours: 'Hours of printing',
  prints: 'Prints that were begun',
  failed: 'Of these, failed',
  grams: 'Filament, g',
  abrasive_grams: 'Filament with fibres or particles that wear nozzles, g',
  changes: 'Filament changes that were seen',
  hot_hours: 'Hours seen with a nozzle of 250 °C or more',
  chamber_hours: 'Hours seen with a heated or warm chamber',
  drying_hours: 'Hours seen in which a drying unit ran'
} as const satisfies Record<keyof Counters, string>

const eachCounter = <T>(make: (description: string) => T): Record<keyof Counters, T> =>
  Object.fromEntries(COUNTERS.map(name => [name, make(COUNTED[name])])) as Record<keyof Counters, T>

export const CountersView = Type.Object(eachCounter(Amount))
export const Before = Type.Object(eachCounter(description =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100_000_000, description }))), { additionalProperties: false })

const Interval = (description: string, maximum = 1_000_000) =>
  Type.Optional(Type.Number({ minimum: 1, maximum, description }))

export const EveryView = Type.Object({
  hours: Interval('Printing hours'),
  days: Interval('Days', 3_650),
  prints: Interval('Prints'),
  grams: Interval('Filament, g', 100_000_000),
  abrasive_grams: Interval('Filament that wears nozzles, g', 100_000_000),
  changes: Interval('Filament changes'),
  hot_hours: Interval('Hours with a nozzle of 250 °C or more'),
  chamber_hours: Interval('Hours with a heated chamber'),
  drying_hours: Interval('Hours of drying')
}, { additionalProperties: false })

export const TaskState = Type.Enum(['ok', 'soon', 'due'], { description: '`soon` from nine tenths of an interval on' })

const Unit = Type.String({ description: 'Such as `hours` or `days`' })

export const PrinterTaskView = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'English for a built-in task; the pages have it in every language' }),
  why: Type.String(),
  state: TaskState,
  share: Type.Number({ description: 'Of the interval that ends first; 1 is due' }),
  progress: Type.Array(Type.Object({ unit: Unit, used: Type.Number(), every: Type.Number() }), {
    description: 'Of every interval, the one that ends first first'
  }),
  blocks: Type.Boolean({ description: 'Due, it holds the queue back on this printer' }),
  own: Type.Boolean({ description: 'A task of your own' }),
  last_done_at: Type.Union([Time('When it was done last'), Type.Null()], { description: 'Null: never, as far as is known' }),
  last_done_by: Type.String({ description: 'Empty: never, as far as is known' })
})

export const PrinterView = Type.Object({
  printer: Type.String(),
  model: Type.String(),
  counters: CountersView,
  before: Type.Union([Before, Type.Null()], {
    description: 'What it had done before it was counted here, as a person entered it'
  }),
  materials: Type.Array(Type.Object({ material: Type.String(), grams: Type.Number() }), { description: 'Most first' }),
  next_hours: Type.Union([Type.Number(), Type.Null()], { description: 'Printing hours until a task is due by them' }),
  tasks: Type.Array(PrinterTaskView, { description: 'The most urgent first' })
}, { 'x-name': 'PrinterMaintenance' })

export const TaskView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  why: Type.String(),
  every: EveryView,
  usual: Type.Boolean({ description: 'Its interval is the starting value of this package' }),
  own: Type.Boolean({ description: 'A task of your own' }),
  printers: Type.Array(Type.String(), { description: 'Empty, and not `elsewhere`: every printer that it suits' }),
  elsewhere: Type.Boolean({ description: 'It is also, or only, for printers that are not set up here any more, or not yours' }),
  blocks: Type.Boolean({ description: 'Due, it holds the queue back on its printer' }),
  off: Type.Boolean({ description: 'Nobody is reminded of it' })
}, { 'x-name': 'MaintenanceTask' })

export const DoneView = Type.Object({
  id: Type.String(),
  printer: Type.String({ description: 'Its name at the time' }),
  task: Type.String(),
  name: Type.String({ description: 'As it was called' }),
  at: Time('When it was done'),
  by: Type.String(),
  note: Type.String(),
  photo: Type.Boolean({ description: 'At `/api/maintenance/done/ID/photo`, on the machine where it was sent' }),
  undone: Type.Boolean({ description: 'It was taken back' })
}, { 'x-name': 'MaintenanceDone' })

export const MaintenanceView = Type.Object({
  printers: Type.Array(PrinterView),
  tasks: Type.Array(TaskView),
  due: Type.Integer({ description: 'Due tasks of all these printers' }),
  soon: Type.Integer()
}, { 'x-name': 'Maintenance' })

/** Fields of a task that people set. */
export const taskFields = {
  every: EveryView,
  printers: Type.Optional(Type.Array(PrinterName, { maxItems: 512, description: 'Names; empty: every printer that it suits. Printers of it that are not set up here stay' })),
  blocks: Type.Optional(Type.Boolean({ description: 'Due, it holds the queue back on its printer' })),
  off: Type.Optional(Type.Boolean({ description: 'Nobody is reminded of it' }))
}
export const TaskName = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
export const Why = Type.String({ maxLength: 500, description: 'Why and how, for whoever does it' })
export const Note = Type.String({ maxLength: 1_000 })

export type PrinterView = Static<typeof PrinterView>
export type TaskView = Static<typeof TaskView>
export type DoneView = Static<typeof DoneView>
