import { Type } from 'typebox'
import { USE_STATES } from './types.js'

const Grams = (description: string) => Type.Union([Type.Number(), Type.Null()], { description: `${description}, g` })

export const SpoolView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  material: Type.String(),
  color: Type.String({ description: '`#RRGGBB`; empty when unknown' }),
  tag: Type.String({ description: 'Number of its RFID tag; empty without one' }),
  net_g: Grams('Filament on it when new; null unknown'),
  used_g: Type.Number({ description: 'Used so far, g' }),
  left_g: Grams('Amount left; null unknown')
}, { 'x-name': 'Spool' })

export const SlotView = Type.Object({
  printer: Type.String(),
  place: Type.String({ description: 'Such as `ams 0 slot 2`, `external`, or `external left` of two holders' }),
  unit_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Position of its AMS unit; null for an external holder' }),
  slot_id: Type.Integer({ description: 'Within the unit; 254 or 255 for an external holder' }),
  material: Type.String({ description: 'As the printer reports it' }),
  color: Type.String({ description: '`#RRGGBB`, the main one; empty when unknown, or clear' }),
  colors: Type.Array(Type.String(), { description: 'All of a spool with several' }),
  translucent: Type.Boolean(),
  tag: Type.String(),
  spool: Type.Union([Type.String(), Type.Null()], { description: 'Id of the assigned spool' }),
  left_g: Grams('Amount left: of the spool, else the printer\'s estimate; null unknown')
})

export const UseView = Type.Object({
  id: Type.String(),
  print: Type.String(),
  printer: Type.String(),
  place: Type.String(),
  material: Type.String(),
  grams: Type.Number(),
  spool: Type.String({ description: 'Empty when unknown' }),
  state: Type.Enum(USE_STATES),
  problem: Type.Union([Type.String(), Type.Null()])
})

export const SpoolsView = Type.Object({
  kept_by: Type.Enum(['prnd', 'spoolman']),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why the list is not up to date' }),
  spools: Type.Array(SpoolView),
  slots: Type.Array(SlotView),
  open_uses: Type.Array(UseView, { description: 'Uses that are not counted, newest first, at most 100' })
}, { 'x-name': 'Spools' })

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Color = Type.String({ pattern: '^(#[0-9A-Fa-f]{6})?$', description: '`#RRGGBB`' })
const Tag = Type.String({ maxLength: 64, pattern: '^[0-9A-Za-z]*$' })
const Weight = (description: string) => Type.Number({ minimum: 0, maximum: 100_000, description: `${description}, g` })

export const spoolFields = {
  name: Name,
  material: Type.String({ minLength: 1, maxLength: 40 }),
  color: Type.Optional(Color),
  tag: Type.Optional(Tag),
  net_g: Type.Optional(Weight('Filament on it when new')),
  used_g: Type.Optional(Weight('Used so far'))
}
