import { Type, type Static } from 'typebox'

const MOST_NAMES = 50
const Name = Type.String({ minLength: 1, maxLength: 64 })
const Code = (description: string) => Type.String({ maxLength: 8_192, description })

const Sensor = Type.Object({
  topic: Type.String({ minLength: 1, maxLength: 200, description: 'Topic without wildcards' }),
  key: Type.String({ maxLength: 100, description: 'Member of a JSON message, `a.b`; empty: the whole message' }),
  empty: Type.Optional(Type.String({ maxLength: 64, description: 'Text that says that the plate is empty' })),
  above: Type.Optional(Type.Number({
    description: 'Needed with `below`: what a working sensor says is above this, also with an empty plate'
  })),
  below: Type.Optional(Type.Number({ description: 'Weight or distance below which the plate is empty' })),
  ask: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Topic to which a request for a new message is sent' }))
}, { additionalProperties: false })
export type SensorSettings = Static<typeof Sensor>

/** What a person writes. */
export const RecipeInput = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  models: Type.Array(Name, { maxItems: MOST_NAMES, description: 'Models such as `P1S`; empty: any' }),
  materials: Type.Array(Name, { maxItems: MOST_NAMES, description: 'Such as `PLA`; empty: any' }),
  start_gcode: Code('Before the start code of the plate'),
  end_gcode: Code('After the last line of the print and its end code'),
  cool_c: Type.Integer({ minimum: 15, maximum: 60, description: '°C of the bed at which the part comes off' }),
  cool_minutes: Type.Integer({ minimum: 1, maximum: 240, description: 'Longest wait for that, after the print' }),
  soak_minutes: Type.Integer({ minimum: 0, maximum: 60, description: 'With a hot bed before the print; 0: none' }),
  magazine: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Plates or ejections until a person refills; 0: not counted' }),
  check: Type.Enum(['person', 'sensor', 'camera', 'sensor_and_camera'], { description: 'What has to find the plate empty' }),
  sensor: Type.Optional(Sensor)
}, { additionalProperties: false })

export const RecipeId = Type.String({ pattern: '^[0-9a-f-]{36}$' })

export const RecipeView = Type.Object({
  id: Type.String(),
  ...RecipeInput.properties,
  hash: Type.String({ description: 'Changes with everything that a person accepts' }),
  consequence: Type.String({ description: 'What accepting it allows' }),
  changed_at: Type.Integer(),
  changed_by: Type.String()
})
export type RecipeView = Static<typeof RecipeView>

export const Problem = Type.Object({
  part: Type.Enum(['start', 'end']),
  line: Type.Integer(),
  code: Type.String(),
  message: Type.String()
})

export const Plate = Type.Object({
  start_line: Type.Integer({ description: 'Line of the original before which the start code stands' }),
  end_line: Type.Integer({ description: 'Line of the original after which the end code stands' }),
  end_place: Type.Enum(['before_motors_off', 'before_block_end', 'end_of_file']),
  print_height_mm: Type.Number(),
  name: Type.String({ description: 'Of the changed file' }),
  findings: Type.Array(Type.Object({ weight: Type.String(), code: Type.String(), message: Type.String() })),
  is_refused: Type.Boolean()
})

const Rate = Type.Object({ pictures: Type.Integer(), wrong: Type.Integer() })
export const Measured = Type.Object({
  full: Rate,
  empty: Rate,
  limit: Type.Number(),
  is_enough: Type.Boolean({ description: 'At least five of each' }),
  may_accept: Type.Boolean({ description: 'Enough, and no full plate was called empty' }),
  is_accepted: Type.Boolean(),
  hash: Type.String(),
  text: Type.String()
})

const Picture = Type.Object({
  id: Type.String(), kind: Type.Enum(['empty', 'full']), taken_at: Type.Integer(), taken_by: Type.String()
})

export const STEPS = ['idle', 'printing', 'cooling', 'checking', 'cleared', 'unsure'] as const
export type Step = (typeof STEPS)[number]

const Accepted = Type.Object({
  id: Type.String(), name: Type.String(), accepted_by: Type.String(), accepted_at: Type.Integer()
})

const LastCheck = Type.Object({
  at: Type.Integer(), score: Type.Number(), limit: Type.Number(), verdict: Type.String()
})

export const PrinterView = Type.Object({
  printer: Type.String(),
  model: Type.String(),
  recipes: Type.Array(Accepted, { description: 'Accepted ones' }),
  step: Type.Enum(STEPS),
  reason: Type.String({ description: 'Why a person is asked, or what the check said' }),
  since: Type.Integer(),
  bed_c: Type.Union([Type.Number(), Type.Null()]),
  cool_c: Type.Union([Type.Integer(), Type.Null()]),
  magazine: Type.Object({
    size: Type.Integer({ description: '0: not counted' }), used: Type.Integer(), is_empty: Type.Boolean()
  }),
  mask: Type.Array(Type.Array(Type.Number()), { description: 'Corners of the bed in the picture, parts of its width and height' }),
  pictures: Type.Array(Picture),
  measured: Measured,
  last_check: Type.Union([LastCheck, Type.Null()])
})
export type PrinterView = Static<typeof PrinterView>
