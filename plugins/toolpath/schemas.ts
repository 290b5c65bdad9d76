import { Type, type Static, type TSchema } from 'typebox'
import { PlateFinding } from '../projects/index.js'
import { FINDING_CODES } from './findings/types.js'

const Text = (description: string) => Type.String({ description })
const Whole = (description: string) => Type.Integer({ description })
const Figure = (description: string) => Type.Number({ description })
const orNull = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])

export const FilePath = Type.String({
  minLength: 1, maxLength: 1024, description: 'Full path of a .gcode.3mf, .3mf or .gcode on the card; library:ID/NAME for a file of the library'
})
export const BedType = Type.Optional(Type.String({ description: 'Build plate' }))
export const PlateNumber = Type.Integer({ minimum: 1, default: 1, description: 'From 1' })

export const FindingView = Type.Object({ ...PlateFinding.properties, code: Type.Enum([...FINDING_CODES]) }, { 'x-name': 'CodedFinding' })
export type FindingView = Static<typeof FindingView>

const Filament = Type.Object({
  filament: Whole('As slicers count, from 1'),
  type: Text('Material; empty if the file does not say'),
  part_g: Figure('For objects and their supports'),
  prime_g: Figure('For the prime tower'),
  flush_g: Figure('While the filament is changed'),
  slicer_g: orNull(Type.Number({ description: 'As the slicer counted; null if it does not say' }))
}, { 'x-name': 'PlateFilament' })

const Corner = (description: string) => Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description })
const Range = Type.Union([Type.Null(), Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })], {
  description: 'Lowest and highest target, °C; null: not heated'
})

const ObjectLayers = {
  id: Whole('As the slicer numbers it, for skip_objects'), first_layer: Whole('From 1'), last_layer: Type.Integer()
}

export const Summary = Type.Object({
  file: Text('Full path'),
  plate: Whole('From 1'),
  slicer: orNull(Type.String({ description: 'Name and version; null if the file does not say' })),
  is_complete: Type.Boolean({ description: 'false: the file ends before its archive says' }),
  md5: Type.Enum(['right', 'wrong', 'none'], { description: 'Whether the checksum beside the plate fits; none: there is none' }),
  lines: Whole('Of the G-code'),
  layers: Whole('Of the print'),
  height_mm: Figure('Of the highest layer'),
  seconds: Figure('By its moves, without heating up, which only the printer knows'),
  slicer_seconds: orNull(Type.Number({ description: 'As the slicer counted, with preparation; null if it does not say' })),
  speed_limits: Type.Enum(['file', 'assumed'], {
    description: 'assumed: the file does not say how fast the printer is, or too late, so that seconds are less sure'
  }),
  filaments: Type.Array(Filament),
  filament_changes: Whole('During the print'),
  box_mm: Type.Union([Type.Null(), Type.Object({ min: Corner('x, y, z'), max: Corner('x, y, z') })], {
    description: 'Around all that is printed of objects'
  }),
  objects: Type.Array(Type.Object({
    ...ObjectLayers,
    seconds: orNull(Type.Number({ description: 'Of its moves; null: the plate has too many objects and layers to add them up' })),
    grams: orNull(Type.Number({ description: 'Without prime tower and flushing; null as above' }))
  })),
  temperatures: Type.Object({ nozzle: Range, bed: Range, chamber: Range }),
  stops: Whole('Findings for which it must not be printed'),
  warnings: Whole('Findings to ask a person about'),
  notes: Type.Integer(),
  findings: Type.Array(FindingView, { description: 'Worst first' })
}, { 'x-name': 'PlateSummary' })
export type SummaryView = Static<typeof Summary>

const LayerView = Type.Object({
  layer: Whole('From 1; 0 is what comes before the first'),
  z_mm: Figure('Height of the nozzle'),
  starts_at: Figure('s after the beginning of the moves'),
  seconds: Figure('How long it takes'),
  line: Whole('Where it begins in the G-code'),
  filaments: Type.Array(Type.Object({
    filament: Whole('From 1'), part_g: Type.Number(), prime_g: Type.Number(), flush_g: Type.Number()
  }), { description: 'Used in this layer' })
}, { 'x-name': 'PlateLayer' })

export const LayerList = Type.Object({
  file: Text('Full path'),
  plate: Whole('From 1'),
  total: Whole('Layers of the print'),
  layers: Type.Array(LayerView)
}, { 'x-name': 'PlateLayers' })
export type LayerListView = Static<typeof LayerList>

const ObjectView = Type.Object({
  ...ObjectLayers,
  seconds: Figure('Of its moves from that layer on'),
  grams: Figure('Of all filaments'),
  filaments: Type.Array(Type.Object({ filament: Whole('From 1'), grams: Type.Number() }))
}, { 'x-name': 'PlateObject' })

export const ObjectList = Type.Object({
  file: Text('Full path'),
  plate: Whole('From 1'),
  from_layer: Whole('The first in which an object is skipped'),
  is_known: Type.Boolean({ description: 'false: the plate has too many objects and layers to add them up' }),
  objects: Type.Array(ObjectView, {
    description: 'What skipping each saves. Prime tower and flushing are printed all the same and not counted'
  })
}, { 'x-name': 'PlateObjects' })
export type ObjectListView = Static<typeof ObjectList>

export const ReadingProgress = Type.Object({
  is_reading: Type.Boolean({ description: 'false: it is known already, or nobody asked for it' }),
  bytes: Whole('Read so far, as they are on the card'),
  total: Whole('Of the plate; 0 while it is not known')
}, { 'x-name': 'ReadingProgress' })
