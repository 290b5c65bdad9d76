import { Type, type Static } from 'typebox'
import { FINDING_CODES, SAME_COLOR } from './mapping/judge.js'

const Text = (description: string) => Type.String({ description })
const Whole = (description: string) => Type.Integer({ description })
const Mm = { description: 'x and y of one corner, then of the other, mm from the lower left of the plate' }
const Bounds = Type.Array(Type.Number(), { ...Mm, minItems: 4, maxItems: 4 })

const FilamentUse = Type.Object(
  { id: Whole('From 1'), type: Text('Material'), color: Text('#RRGGBB') },
  { 'x-name': 'FilamentUse' })

/** The slicer's map of the plate; further members are passed on unchanged. */
const PlateMap = Type.Object({
  bbox_objects: Type.Array(Type.Object({
    id: Whole('identify_id, for skip_objects; -1 unknown'),
    name: Type.String(),
    bbox: Bounds,
    val: Bounds
  }, { additionalProperties: true }), { description: 'The first layer of each object' })
}, { additionalProperties: true, description: 'Map of the plate, with everything that the slicer says of it' })

/** One plate of a project on the card. */
export const Record = Type.Object({
  id: Text('Full path on the card'),
  name: Text('Name of the file'),
  size: Type.Integer({ description: 'Bytes' }),
  timestamp: Type.Number({ description: 's since the epoch' }),
  md5: Text('Empty of larger files, of which only parts are read'),
  plate_num: Whole('The plate that is described'),
  plates: Type.Array(Type.Integer(), { description: 'Numbers of all plates, ascending' }),
  metadata: Type.Object({
    thumbnail: Text('Picture as a data URI; empty without one, or a note where pictures are left out'),
    topimg: Text('View from above, likewise'),
    map: PlateMap,
    filament: Type.Array(FilamentUse, { description: 'What the plate is printed with' }),
    ams_mapping: Type.Array(Type.String(), { description: 'Shows how a mapping is laid out; not to be sent' }),
    filament_extruders: Type.Array(Type.Integer(), { description: 'Nozzle of each filament, by its id - 1' }),
    physical_extruder_map: Type.Array(Type.Integer(), { description: '0 right, 1 left, by the number of the slicer' }),
    external_spool_trays: Type.Array(Type.Integer(), { description: 'Mapping to the holders; empty when it is not known' }),
    slicer_settings: Type.Record(Type.String(), Type.String(), { description: 'Settings of support, brim, infill and layers' }),
    printable: Type.Boolean({ description: 'False: the plate is not sliced' }),
    bed_type: Text('Build plate that it is sliced for, such as textured_plate; empty when not known'),
    seconds: Type.Union([Type.Number(), Type.Null()], { description: 'As the slicer estimated' }),
    grams: Type.Union([Type.Number(), Type.Null()], { description: 'As the slicer estimated' }),
    nozzle_diameters: Type.Array(Type.Number(), { description: 'mm' }),
    models: Type.Array(Type.String(), { description: 'That take it, such as X1C, the one it was sliced for first; empty when not known' })
  })
}, { 'x-name': 'Project' })

const Match = Type.Object({
  id: Whole('Of the filament'),
  type: Text('Wanted material'),
  color: Text('Wanted colour, #RRGGBB'),
  tray_id: Whole('Tray that was found'),
  spool_type: Text('Material of the spool'),
  spool_color: Text('Colour of the spool'),
  distance: Type.Number({ description: 'Of the colours; 0 the same' }),
  quality: Type.Enum(['excellent', 'good', 'fair', 'poor', 'bad'], { description: 'How well it fits' }),
  label: Text('The same in words'),
  pass: Type.Enum(['exact', 'best-unused', 'reuse'], { description: 'How it was found' }),
  reused: Type.Boolean({ description: 'Another filament draws from the same spool' })
}, { 'x-name': 'SpoolMatch' })
export const Matches = Type.Array(Match)

/** Description of `accept_mismatch`, for the interfaces that take it. */
export const ACCEPT = 'Print despite `warnings` with `needs_accept`: a wrong material or nozzle, a colour further than ' +
  `${SAME_COLOR} (CIEDE2000) from the wanted one, a build plate that the queue knows to be used`

const Warning = Type.Object({
  code: Type.Enum([...FINDING_CODES]),
  filament: Whole('Its id; -1 all of the plate'),
  tray: Whole('As in the mapping; -1 none'),
  message: Text('What is wrong and what to do'),
  figures: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), { description: 'What the message names' }),
  needs_accept: Type.Boolean({ description: 'A print is refused for it unless accept_mismatch is true' })
}, { 'x-name': 'MappingWarning' })

/** The findings on a mapping. */
export const Judgement = {
  warnings: Type.Array(Warning, { description: 'What does not fit; empty when nothing' }),
  mapping_words: Type.Array(Type.String(), { description: 'What is printed with what, one sentence a filament' })
}

export type Judged = Static<ReturnType<typeof Type.Object<typeof Judgement>>>

/** Something that is wrong with the moves of a plate. */
export const PlateFinding = Type.Object({
  code: Type.String(),
  weight: Type.Enum(['stop', 'warn', 'note'], { description: 'stop: not to be printed; warn: ask a person; note: to know' }),
  may_accept: Type.Boolean({ description: 'A person may print it all the same' }),
  line: Whole('In the G-code, for the first time; 0 the whole file'),
  layer: Whole('From 1; 0 before the first, or the whole file'),
  position: Type.Union([Type.Null(), Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() })], {
    description: 'mm'
  }),
  times: Whole('Moves or commands that it concerns'),
  figures: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
    description: 'Of the message, by name: mm, °C, g, mm³/s, s'
  }),
  message: Text('What is wrong, and where'),
  remedy: Text('What to do')
}, { 'x-name': 'PlateFinding' })
export type PlateFinding = Static<typeof PlateFinding>

/** What reading the moves of a plate has found. */
export const PlateRead = {
  findings: Type.Array(PlateFinding, { description: 'What reading its moves has found, worst first' }),
  unread: Text('Why its moves were not read before the start; empty when they were')
}

/** Findings that a print is started in spite of. */
export const AcceptFindings = Type.Optional(Type.Array(Type.String({ maxLength: 40 }), {
  maxItems: 40, description: 'Codes to accept'
}))

/** Warnings that a print is started in spite of. */
export const AcceptWarnings = Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), {
  maxItems: 100, description: 'The messages of the only warnings to accept, in place of all of them'
}))

const Filaments = Type.Array(FilamentUse)

export const Preview = Type.Object({
  file_path: Text('Full path on the card'),
  plate_num: Whole('From 1'),
  bed_type: Text('Build plate that it is sliced for, such as textured_plate; empty when not known'),
  filaments: Filaments,
  resolved_ams_mapping: Type.Array(Type.Integer(), { description: 'Tray by filament id - 1; -1 unused' }),
  ams_mapping_json: Text('The same as text, for ams_mapping'),
  matches: Matches,
  unmatched: Filaments,
  loaded_spools: Type.Array(Type.Object({ tray_id: Type.Integer(), type: Type.String(), color: Type.String() })),
  external_spools: Type.Array(Type.Object({ slot_id: Type.Integer(), type: Type.String(), color: Type.String() })),
  ...Judgement,
  error: Type.Optional(Text('Why a print would be refused'))
}, { 'x-name': 'MappingPreview' })
