import { Type, type Static } from 'typebox'
import { AcceptFindings } from '../projects/index.js'
import { WAITS_FOR } from './forecast/index.js'
import { LEAST_C, LONGEST_MINUTES, MOST_BED_C, MOST_CHAMBER_C, MOST_MINUTES, USUAL_MINUTES } from './soak/limits.js'
import { COLORS, MATERIALS, PLATE_TYPES } from './types.js'

/** The end of the year 9999. */
export const LAST_MS = 253_402_300_799_999
export const Time = (what: string) => Type.Integer({
  minimum: 0, maximum: LAST_MS, description: `${what}, ms since the epoch`
})
export const MaybeTime = (what: string) => Type.Union([Time(what), Type.Null()])

export const JobId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a job' })
export const FileId = Type.String({ minLength: 1, maxLength: 200, description: 'Id or name of a file of the library' })
export const MOST_COPIES = 1_000
export const MOST_NOTE = 2_000
export const MOST_PARTS = 1_000_000
/** That a person may say one plate gives. */
export const MOST_ON_PLATE = 10_000
export const MOST_ALTERNATIVES = 10

const BedType = Type.String({ description: 'Build plate that it is sliced for, such as textured_plate; empty when unknown' })

export const FileView = Type.Object({
  id: Type.String({ description: 'SHA-256 of its content' }),
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  is_present: Type.Boolean({ description: 'False: its content is missing' }),
  added_at: Time('When it was added'),
  added_by: Type.String(),
  plates: Type.Array(Type.Object({
    plate: Type.Integer(),
    name: Type.String(),
    printable: Type.Boolean(),
    model: Type.String({ description: 'The slicer\'s name for it; empty when unknown' }),
    bed_type: BedType,
    nozzles: Type.Array(Type.Number(), { description: 'mm' }),
    seconds: Type.Union([Type.Number(), Type.Null()]),
    grams: Type.Union([Type.Number(), Type.Null()]),
    parts: Type.Union([Type.Integer(), Type.Null()], { description: 'How many parts it gives; null when unknown' }),
    parts_by: Type.Enum(['slicer', 'person'], { description: 'slicer: its objects without wipe towers; person: somebody has said so' }),
    filaments: Type.Array(Type.Object({ id: Type.Integer(), type: Type.String(), color: Type.String() }))
  }))
}, { 'x-name': 'SlicedFile' })
export type FileView = Static<typeof FileView>

const Card = Type.Optional(Type.String({
  minLength: 1, maxLength: 64, description: 'Name of the printer on whose card `file` is a path'
}))
const Alternative = Type.Object({
  file: FileId, card: Card, plate: Type.Optional(Type.Integer({ minimum: 1, default: 1 }))
})

export const SoakFields = Type.Object({
  bed: Type.Integer({ minimum: LEAST_C, maximum: MOST_BED_C, description: 'The bed is heated to so many °C' }),
  chamber: Type.Optional(Type.Union([Type.Integer({ minimum: LEAST_C, maximum: MOST_CHAMBER_C }), Type.Null()], {
    description: 'The chamber has at least so many °C: heated where the model can, else warmed by the bed. Only printers ' +
      'that measure it take the job. null or left out: no matter'
  })),
  minutes: Type.Optional(Type.Integer({
    minimum: 0, maximum: MOST_MINUTES, description: `It is kept so warm for so long; left out: ${USUAL_MINUTES}`
  })),
  otherwise: Type.Optional(Type.Enum(['ask', 'start'], {
    description: `If it does not get so warm within ${LONGEST_MINUTES} min, all in all. ask, the default: what was heated is ` +
      'switched off and the job held for a person; start: it is printed as warm as it is'
  }))
}, { description: 'Warms the printer before the print starts, never on a plate that is not clear' })
export type SoakFields = Static<typeof SoakFields>

export const MaybeSoak = Type.Optional(Type.Union([SoakFields, Type.Null()], {
  description: 'null: it starts without warming; left out of a new job: as the table of materials says'
}))

/** The input for a new job. */
export const JobFields = {
  file: FileId,
  card: Card,
  plate: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  alternatives: Type.Optional(Type.Array(Alternative, {
    maxItems: MOST_ALTERNATIVES, description: 'The same part sliced for other models'
  })),
  job_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Left out: the file's" })),
  copies: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_COPIES, default: 1 })),
  parts: Type.Optional(Type.Integer({
    minimum: 1, maximum: MOST_PARTS, description: 'In place of `copies`: so many parts in all, with as many copies as that takes'
  })),
  priority: Type.Optional(Type.Integer({ minimum: -100, maximum: 100, default: 0, description: 'Higher first' })),
  printers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 300, description: 'Names of printers or groups; left out: any'
  })),
  material: Type.Optional(Type.Enum([...MATERIALS], { default: 'near' })),
  color: Type.Optional(Type.Enum([...COLORS], { default: 'near' })),
  bed_type: Type.Optional(Type.Enum([...PLATE_TYPES], { default: 'auto' })),
  bed_leveling: Type.Optional(Type.Boolean({ default: true })),
  flow_calibration: Type.Optional(Type.Boolean({ default: false })),
  timelapse: Type.Optional(Type.Boolean({ default: false })),
  allow_low: Type.Optional(Type.Boolean({
    default: false, description: 'Accept a spool that runs out during the print if none holds enough'
  })),
  accept_findings: AcceptFindings,
  end_in_hours: Type.Optional(Type.Boolean({
    default: false, description: 'Start only where it would end within the working hours'
  })),
  not_before: Type.Optional(Time('Earliest start')),
  retries: Type.Optional(Type.Integer({
    minimum: 0, maximum: 10, default: 0, description: 'How many failed copies are printed again, in total'
  })),
  note: Type.Optional(Type.String({ maxLength: MOST_NOTE })),
  soak: MaybeSoak
}

export const RUN_STATES =
  ['preparing', 'sending', 'printing', 'unknown', 'finished', 'failed', 'cancelled', 'not_started'] as const

const RunView = Type.Object({
  id: Type.String(),
  printer: Type.String(),
  state: Type.Enum([...RUN_STATES]),
  reason: Type.String(),
  chosen_at: Time('When the printer was chosen'),
  ended_at: MaybeTime('End'),
  print: Type.String({ description: 'Id of its record in the history; empty until there is one' })
}, { 'x-name': 'QueueRun' })

export const Why = Type.Union([Type.Object({
  code: Type.String({ description: 'Such as `plate_used`, `missing` or `held`' }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'For the words; `X_at` is the time `X` as milliseconds since the epoch'
  })
}), Type.Null()], { description: 'The same as a code with values, for translation' })

export const Expected = Type.Union([Type.Object({
  printer: Type.String({ description: 'Where the next copy is expected' }),
  starts_at: Time('Its start; with `waits_for`: if that was done now'),
  ends_at: Time('Its end'),
  waits_for: Type.Union([Type.Enum([...WAITS_FOR]), Type.Null()], {
    description: 'What a person has to do first: clear the plate, look at the printer, or resume the queue'
  }),
  all_end_at: Time('The end of the last copy')
}), Type.Null()], {
  description: 'When waiting copies are expected to be printed, if plates are cleared at once; null when that is unknown'
})

export const PartsView = Type.Union([Type.Object({
  per_copy: Type.Integer({ description: 'That one copy gives' }),
  finished: Type.Integer(),
  wanted: Type.Integer()
}), Type.Null()], { description: 'The parts on its copies; null while it is unknown how many a copy gives' })

const SoakView = Type.Object({
  bed: Type.Integer({ description: '°C' }),
  chamber: Type.Union([Type.Integer(), Type.Null()], { description: '°C; null: no matter' }),
  minutes: Type.Integer(),
  otherwise: Type.Enum(['ask', 'start']),
  by: Type.Enum(['job', 'material'], {
    description: 'job: as it asks; material: by the table of materials, as far as the printer can'
  })
}, { 'x-name': 'QueueSoak' })

export const JobView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  state: Type.Enum(['waiting', 'blocked', 'starting', 'printing', 'done', 'failed', 'cancelled'], {
    description: 'blocked: no printer can print it until a person acts'
  }),
  reason: Type.String({ description: 'Why no copy starts, for a reason other than the printers; else empty' }),
  why: Why,
  printers: Type.Array(Type.Object({ printer: Type.String(), reason: Type.String(), why: Why }), {
    description: 'What keeps each printer from the next copy'
  }),
  priority: Type.Integer(),
  copies: Type.Integer(),
  finished: Type.Integer(),
  parts: PartsView,
  waiting: Type.Integer(),
  held: Type.Boolean(),
  files: Type.Array(Type.Object({
    id: Type.String(),
    name: Type.String(),
    plate: Type.Integer(),
    bed_type: BedType
  })),
  wanted_printers: Type.Array(Type.String()),
  material: Type.String(),
  color: Type.String(),
  allow_low: Type.Boolean(),
  accept_findings: Type.Array(Type.String(), { description: 'Findings in its plate in spite of which it is printed' }),
  retries: Type.Integer(),
  not_before: MaybeTime('Earliest start'),
  soak: Type.Union([SoakView, Type.Null()], { description: 'What is warm before it starts; null: whatever there is' }),
  note: Type.String(),
  created_at: Time('When it was requested'),
  created_by: Type.String({ description: 'Who requested it, such as `http (local)`' }),
  ended_at: MaybeTime('End'),
  expected: Expected,
  runs: Type.Array(RunView, { description: 'Its copies and their outcomes, oldest first' })
}, { 'x-name': 'QueueJob' })
export type JobView = Static<typeof JobView>

export const PausedUntil = Type.Union([Time('When the pause ends by itself'), Type.Null()], {
  description: 'When the pause ends by itself, ms since the epoch; null: somebody has to resume it'
})

export const PrinterRow = Type.Object({
  printer: Type.String(),
  plate: Type.Enum(['clear', 'used'], { description: 'used: not confirmed clear' }),
  is_ready: Type.Boolean(),
  reason: Type.String({ description: 'Why it takes no job; empty when ready' }),
  why: Why,
  is_paused: Type.Boolean(),
  paused_until: PausedUntil,
  groups: Type.Array(Type.String()),
  seen: Type.String({ description: 'Changes with each print; send it when you confirm the plate' }),
  job: Type.String({ description: 'Id of its current job; empty without one' }),
  outcome_wanted: Type.Boolean({ description: 'It is unknown whether that job was printed' }),
  pending_start: Type.Union([
    Type.Object({ job: Type.String(), since: Time('When it was sent') }), Type.Null()
  ], { description: 'A start by any client that the printer has not shown yet: nothing else is sent meanwhile' }),
  failures: Type.Object({
    in_a_row: Type.Integer({ description: 'Prints of the queue that failed here since one was finished or a person released the printer' }),
    most: Type.Integer({ description: 'So many hold the printer until a person releases it; 0: never' }),
    is_usual: Type.Boolean({ description: 'That is the configured number; false: a person has set it' }),
    last: Type.String({ description: 'Why the last one failed; empty when unknown' }),
    stopped_at: MaybeTime('Since when it is held')
  })
}, { 'x-name': 'QueuePrinter' })
export type PrinterRow = Static<typeof PrinterRow>

export const QueueView = Type.Object({
  is_paused: Type.Boolean(),
  paused_until: PausedUntil,
  printers: Type.Array(PrinterRow),
  jobs: Type.Array(JobView),
  more: Type.Integer({ description: 'Number of jobs beyond this page' })
}, { 'x-name': 'Queue' })
