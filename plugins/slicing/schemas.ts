import { Type, type Static } from 'typebox'
import { PlateFinding } from '../projects/index.js'
import { QUALITIES } from './own-profiles/materials.data.js'
import { BED_TYPES, type BedType } from './plate-file/plate-description.js'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description })

export const ModelId = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Checksum of its content' })

const Problem = Type.Object({
  code: Type.String(),
  weight: Type.String({ description: '`stop`: cannot be sliced, `repair`: needs a repair, `note`' }),
  message: Type.String(),
  remedy: Type.String(),
  figures: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))
})

const Three = Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: 'x, y, z' })

export const ModelView = Type.Object({
  id: ModelId,
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  format: Type.String(),
  unit: Type.String({ description: 'As the file states it, or what was assumed' }),
  added_at: Type.Integer({ description: 'ms since 1970' }),
  parts: Type.Array(Type.Object({
    index: Type.Integer(),
    name: Type.String(),
    triangles: Type.Integer(),
    size_mm: Three,
    volume_cm3: Type.Number(),
    is_closed: Type.Boolean(),
    problems: Type.Array(Problem)
  })),
  problems: Type.Array(Problem)
})
export type ModelView = Static<typeof ModelView>

export const OrderedPart = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 200, description: 'Id or name of an uploaded model' }),
  part: Type.Optional(Type.Integer({ minimum: 0, description: 'Left out: all parts of the file as they lie together' })),
  copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 1 })),
  scale: Type.Optional(Type.Number({ minimum: 0.000_1, maximum: 10_000, default: 1 })),
  rotate: Type.Optional(Type.Array(Type.Number({ minimum: -360, maximum: 360 }), {
    minItems: 3, maxItems: 3, description: 'Degrees about x, y and z, in this order'
  })),
  lay_flat: Type.Optional(Type.Boolean({ description: 'On its largest flat side' })),
  repair: Type.Optional(Type.Boolean({ description: 'Close holes, and make the surface consistent' })),
  at: Type.Optional(Type.Array(Type.Number(), {
    minItems: 2, maxItems: 2, description: 'Centre on the bed, mm; left out: arranged. For one copy'
  }))
}, { additionalProperties: false })
export type OrderedPart = Static<typeof OrderedPart>

export const Parts = Type.Array(OrderedPart, { minItems: 1, maxItems: 100 })

/** What a person chooses for a plate. */
export const Choices = {
  material: Type.Optional(Type.String({ maxLength: 40, default: 'PLA', description: 'Such as PLA, PETG, ABS' })),
  quality: Type.Optional(oneOf(QUALITIES.map(({ name }) => name), 'Default: standard')),
  nozzle: Type.Optional(Type.Number({ minimum: 0.1, maximum: 1.5, description: 'mm; left out: the one in the printer' })),
  color: Type.Optional(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', default: '#FFFFFF' })),
  supports: Type.Optional(Type.Boolean({ default: false })),
  brim: Type.Optional(Type.Number({ minimum: 0, maximum: 20, default: 0, description: 'mm' })),
  infill: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent; left out: that of the quality' })),
  bed_type: Type.Optional(oneOf(Object.keys(BED_TYPES) as BedType[], 'Default: textured_plate')),
  profile: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'Id or name of an imported profile, in place of material, quality and the built-in start code'
  })),
  engine: Type.Optional(Type.String({ maxLength: 60, description: 'A slicer; left out: the first that takes the profile' }))
}

export const PlateOrder = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'Of the plate' })),
  parts: Parts,
  ...Choices
})
export type PlateOrder = Static<typeof PlateOrder>

export const STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

const Result = Type.Object({
  file: Type.String({ description: 'Id in the library of sliced files' }),
  name: Type.String(),
  seconds: Type.Integer(),
  grams: Type.Number(),
  layers: Type.Integer(),
  height_mm: Type.Number(),
  slicer: Type.String(),
  cost: Type.Optional(Type.Number({
    description: 'Of the filament, in the currency of `plugins.history.prices`; left out if they lack the material'
  })),
  findings: Type.Array(PlateFinding)
})

export const SlicingJobView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  printer: Type.String(),
  state: oneOf(STATES, 'Of the slicing'),
  step: Type.String({ description: 'What happens now, such as `placing`, or in the words of the slicer' }),
  percent: Type.Integer(),
  created_at: Type.Integer({ description: 'ms since 1970' }),
  created_by: Type.String(),
  ended_at: nullable(Type.Integer()),
  error: nullable(Type.String({ description: 'Why it failed, and what to do' })),
  result: nullable(Result)
})
export type SlicingJobView = Static<typeof SlicingJobView>
export type SlicingResult = Static<typeof Result>

export const SlicerView = Type.Object({
  name: Type.String(),
  title: Type.String(),
  version: nullable(Type.String()),
  place: nullable(Type.String({ description: 'Path or address; null if it was not found' }))
})

export const ImportedProfileView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: oneOf(['configuration', 'presets'],
    '`configuration`: sliced by PrusaSlicer; `presets`: by OrcaSlicer or Bambu Studio'),
  added_at: Type.Integer({ description: 'ms since 1970' }),
  added_by: Type.String(),
  changed: Type.Array(Type.String(), { description: 'Settings that were left out or changed because they are not safe here' }),
  material: Type.String(),
  layer_mm: Type.Number(),
  nozzle_mm: Type.Number(),
  nozzle_c: Type.Number(),
  bed_c: Type.Number()
})

export type ImportedProfileView = Static<typeof ImportedProfileView>

export const PlacementView = Type.Object({
  bed_mm: Three,
  excluded: Type.Array(Type.Object({
    minX: Type.Number(), minY: Type.Number(), maxX: Type.Number(), maxY: Type.Number()
  })),
  instances: Type.Array(Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    part: Type.Integer({ description: 'Index in `parts` of the request' }),
    is_turned: Type.Boolean({ description: 'By 90° about z, because it takes less room so' }),
    box: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'min x, min y, max x, max y, mm' }),
    height_mm: Type.Number()
  })),
  problems: Type.Array(Problem)
})
