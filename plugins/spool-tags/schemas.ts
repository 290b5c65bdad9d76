import { Type } from 'typebox'
import { MOST_TAG_BYTES } from './ndef.js'
import { TAG_FORMATS } from './tag-formats.data.js'

const Format = Type.Enum(TAG_FORMATS.map(({ id }) => id))
const Text = (description: string) => Type.String({ description: `${description}; empty: not said` })
const Value = (description: string) => Type.Union([Type.Number(), Type.Null()], { description: `${description}; null: not said` })
const Heat = (description: string) => Type.Array(Type.Number(), { maxItems: 2, description: `${description}, °C, lowest and highest; empty: not said` })

export const TagView = Type.Object({
  format: Format,
  version: Type.String(),
  brand: Text('Who made it'),
  name: Text('What it is called'),
  material: Text('Such as `PLA-CF`'),
  color: Text('`#RRGGBB`'),
  nozzle_c: Heat('Nozzle'),
  bed_c: Heat('Bed'),
  net_g: Value('Filament when new, g'),
  used_g: Value('Used, g'),
  diameter_mm: Value('Of the filament, mm'),
  density: Value('g/cm³'),
  serial: Text('Serial number or instance'),
  warnings: Type.Array(Type.String())
}, { 'x-name': 'SpoolTag' })

/** Base64 of the largest tag. */
const LONGEST_DATA = Math.ceil(MOST_TAG_BYTES / 3) * 4

export const ReadInput = Type.Object({
  data: Type.String({
    minLength: 4,
    maxLength: LONGEST_DATA,
    pattern: '^[A-Za-z0-9+/_-]+={0,2}$',
    description: 'Base64 of the NDEF message on the tag, or of a dump of its memory'
  }),
  serial: Type.String({ default: '', maxLength: 64, description: 'Serial number of the chip: `04:A2:…`' })
})

export const ReadOutput = Type.Object({
  tags: Type.Array(TagView, { description: 'What it says, in the formats that are known' }),
  types: Type.Array(Type.String(), { description: 'Types of its records' }),
  spool: Type.Union([Type.String(), Type.Null()], { description: 'Id of the spool that it belongs to' }),
  found_by: Type.Enum(['none', 'address', 'id', 'tag'], {
    description: 'How: by an address on it, by an id that this service wrote, or by the number of a tag that is stored with a spool'
  })
})

export const WriteInput = Type.Object({
  spool: Type.String({ minLength: 1, maxLength: 64 }),
  format: Type.Enum(TAG_FORMATS.map(({ id }) => id), { default: 'openspool' }),
  content: Type.Enum(['message', 'memory'], {
    default: 'message', description: '`message`: what apps for phones write; `memory`: what programs write from the first byte for users on'
  })
})

const Data = Type.String({ description: 'Base64' })

export const WriteOutput = Type.Object({
  spool: Type.String(),
  format: Format,
  records: Type.Array(Type.Object({ kind: Type.Enum(['mime', 'url']), type: Type.String(), data: Data })),
  message: Data,
  memory: Data,
  memory_bytes: Type.Integer(),
  fits: Type.Array(Type.String(), { description: 'Tags with enough memory' })
})
