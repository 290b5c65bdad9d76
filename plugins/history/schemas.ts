import { Type, type Static } from 'typebox'
import { EVENT_KINDS } from './details/events.js'
import { GRAMS_BASES } from './filament.js'
import { RESULTS } from './types.js'

const Time = (what: string) => Type.Integer({ description: `${what}, ms since the epoch` })
const Seconds = (what: string) => Type.Number({ description: `${what}, s` })

export const Spent = Type.Object({
  filament: Type.Integer({ description: "Number of the project's filament, from 1" }),
  material: Type.String(),
  color: Type.String({ description: '`#RRGGBB`' }),
  place: Type.String({ description: 'Such as `ams 0 slot 2`, `external`, `external left` of two holders; empty when unknown' }),
  tag: Type.String({ description: "Number of the spool's tag; empty without one" }),
  grams: Type.Union([Type.Number(), Type.Null()], { description: 'Used so far; null when unknown' }),
  grams_basis: Type.Union([Type.Enum(GRAMS_BASES), Type.Null()], {
    description: '`layers`: counted from the moves up to the layer reached; `planned`: by the slicer; `scaled`: planned by percent'
  }),
  metres: Type.Union([Type.Number(), Type.Null()]),
  cost: Type.Union([Type.Number(), Type.Null()])
})

export const PrintView = Type.Object({
  id: Type.String(),
  printer: Type.String({ description: 'Its name at the time' }),
  model: Type.String(),
  serial: Type.String(),
  name: Type.String(),
  file: Type.String(),
  project_path: Type.String({ description: 'On the SD card; empty when it was not found' }),
  md5: Type.String(),
  plate: Type.Integer({ description: '-1 unknown' }),
  task_id: Type.String(),
  print_type: Type.String(),
  started_at: Time('Start'),
  start_seen: Type.Boolean({ description: 'False: the start was not observed' }),
  ended_at: Type.Union([Time('End'), Type.Null()]),
  end_seen: Type.Boolean({ description: 'False: the end was not observed' }),
  result: Type.Enum(RESULTS),
  reported_result: Type.Enum(RESULTS, { description: 'As the printer reported, before corrections' }),
  started_by: Type.String({ description: 'Such as `http (token)`; `elsewhere`; empty when unknown' }),
  ended_by: Type.String({ description: 'Who cancelled it' }),
  percent: Type.Integer(),
  layers_percent: Type.Union([Type.Number(), Type.Null()], {
    description: "Share of the plate's filament used by the layer reached; null if finished or not counted by layers"
  }),
  layer: Type.Integer(),
  total_layers: Type.Integer(),
  planned_s: Seconds('As the printer estimated; 0 unknown'),
  prepare_s: Seconds('Time of preparation'),
  printing_s: Seconds('Time of printing'),
  paused_s: Seconds('Time in pauses'),
  unseen_s: Seconds('Time not observed'),
  interruptions: Type.Integer({ description: 'How often it went on after the printer had been off' }),
  faults: Type.Array(Type.Object({ code: Type.String(), severity: Type.String(), text: Type.String() })),
  filaments: Type.Array(Spent),
  note: Type.Union([Type.String(), Type.Null()]),
  rating: Type.Union([Type.Integer(), Type.Null()]),
  tags: Type.Array(Type.String()),
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'Null when no price is known' }),
  grams_open_until: Type.Union([Time('Until then the grams may change, as the plate is read'), Type.Null()], {
    description: 'Null: final once the print has ended'
  }),
  accepted_findings: Type.Array(Type.String(), { description: 'Findings in its plate in spite of which it was started' }),
  job: Type.String({ description: "Id of the queue's job; empty without one" }),
  parts: Type.Union([Type.Integer(), Type.Null()], { description: 'How many it gives when it ends well; null when unknown' })
}, { 'x-name': 'Print' })
export type PrintView = Static<typeof PrintView>

export const PrintEnergy = Type.Object({
  wh: Type.Number(),
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'Null when no price is known' }),
  currency: Type.String({ description: 'Of its price; empty when none is set' }),
  is_estimated: Type.Boolean({ description: 'From the power that the plug reported, as it has no counter' }),
  is_partial: Type.Boolean({ description: 'Some of the print was not measured' })
}, { 'x-name': 'PrintEnergy' })
export type PrintEnergy = Static<typeof PrintEnergy>

export const EnergySum = Type.Object({
  wh: Type.Number(),
  cost: Type.Number({ description: 'As far as a price is known' }),
  currency: Type.String(),
  prints: Type.Integer({ description: 'Those that were measured' })
}, { 'x-name': 'EnergyOfPrints' })
export type EnergySum = Static<typeof EnergySum>

export const PrintDetail = Type.Object({
  ...PrintView.properties,
  energy: Type.Union([PrintEnergy, Type.Null()], { description: 'Measured at the plug of its printer; null without one' }),
  events: Type.Array(Type.Object({
    at: Time('When'),
    kind: Type.Enum(EVENT_KINDS, { description: "State of the printer, alert, or the job monitor's verdict" }),
    name: Type.String({ description: 'Such as `PAUSE`, `job_failed` or `warning`' }),
    severity: Type.String({ description: 'Of alerts' }),
    text: Type.String()
  }), { description: 'What happened, in order' }),
  recordings: Type.Array(Type.Object({
    id: Type.String({ description: 'Played at `/api/recordings/ID/file`' }),
    kind: Type.String({ description: '`evidence`, `timelapse` or `manual`' }),
    started_at: Type.String({ description: 'ISO 8601, UTC' }),
    duration_s: Type.Number()
  }), { description: 'Clips and timelapses of it that still exist' }),
  telemetry: Type.Array(Type.Object({
    series: Type.String(),
    unit: Type.String(),
    lowest: Type.Number(),
    highest: Type.Number()
  }), { description: 'Stored ranges' })
}, { 'x-name': 'PrintDetail' })
export type PrintDetail = Static<typeof PrintDetail>

export const Telemetry = Type.Object({
  series: Type.Array(Type.Object({
    name: Type.String({ description: 'Such as `tool`, `bed_target`, `part_fan`, `speed` or `health_score`' }),
    unit: Type.String(),
    points: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      description: 'Seconds since the start, and the value; at most 2,000'
    })
  }))
}, { 'x-name': 'PrintTelemetry' })
export type Telemetry = Static<typeof Telemetry>

export const Page = Type.Object({
  prints: Type.Array(PrintView),
  cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null at the end' })
})

export const Filter = {
  printer_name: Type.Optional(Type.String({ maxLength: 64, description: 'Only of this printer' })),
  result: Type.Optional(Type.Enum(RESULTS)),
  text: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, note or tags' })),
  material: Type.Optional(Type.String({ maxLength: 40 })),
  since: Type.Optional(Time('Started at or after')),
  until: Type.Optional(Time('Started before'))
}
export type Filter = Static<ReturnType<typeof Type.Object<typeof Filter>>>

const Group = {
  prints: Type.Integer(),
  finished: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer(),
  printing_s: Type.Number(),
  grams: Type.Number(),
  metres: Type.Number(),
  cost: Type.Number({ description: 'Of prints with a known price' }),
  parts: Type.Integer({ description: 'Good parts: of finished prints of the queue whose plates say how many they give' })
}
export const Statistics = Type.Object({
  ...Group,
  success_rate: Type.Union([Type.Number(), Type.Null()], { description: 'Finished among finished and failed, 0 to 1' }),
  estimate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Real by estimated time of finished prints; 1.1: they took a tenth longer'
  }),
  printers: Type.Array(Type.Object({ printer: Type.String(), ...Group })),
  months: Type.Array(Type.Object({ month: Type.String({ description: 'Such as `2026-11`, in UTC or `time_zone`' }), ...Group })),
  materials: Type.Array(Type.Object({ material: Type.String(), ...Group })),
  faults: Type.Array(Type.Object({
    fault: Type.String({ description: 'Code and words' }), prints: Type.Integer()
  }), { description: 'Of failed prints, most frequent first' }),
  energy: Type.Union([EnergySum, Type.Null()], {
    description: 'Measured at plugs; null without one, and where prints are chosen by more than printer and time'
  })
}, { 'x-name': 'PrintStatistics' })
export type Statistics = Static<typeof Statistics>
