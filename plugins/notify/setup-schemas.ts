import { Type, type Static } from 'typebox'
import { CONTROLS } from './storable-options.js'
import { TargetRule } from './stored-targets.js'

const Nullable = (type: ReturnType<typeof Type.String>) => Type.Union([type, Type.Null()])

const Field = Type.Object({
  name: Type.String({ description: 'The option' }),
  control: Type.Enum(CONTROLS, {
    description: '`list` is an array of texts, `pairs` an object of texts, `json` any value'
  }),
  secret: Type.Boolean({ description: 'Never returned' }),
  required: Type.Boolean(),
  hint: Type.String(),
  initial: Type.Optional(Type.String({ description: 'Used if it is omitted' })),
  choices: Type.Optional(Type.Array(Type.String())),
  pattern: Type.Optional(Type.String()),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number())
})

const TargetView = Type.Object({
  name: Type.String(),
  type: Type.String(),
  origin: Type.Enum(['file', 'stored'], { description: '`file`: from the configuration file, and only changed there' }),
  address: Type.String({ description: 'Protocol and host' }),
  owner: Nullable(Type.String({ description: 'The user whose device it is' })),
  options: Type.Record(Type.String(), Type.Unknown(), { description: 'Without secrets; none for `file`' }),
  secrets: Type.Array(Type.String(), { description: 'Options with a stored secret' }),
  rule: Type.Union([TargetRule, Type.Null()], { description: 'Null for `file`' }),
  alerts: Type.Array(Type.String(), { description: 'Types of alerts that reach it; `*` for all' }),
  waiting: Type.Integer({ description: 'Messages' }),
  problem: Nullable(Type.String({ description: 'Why it did not accept the last message' })),
  accepted_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Last message, ms since the epoch' })
})

export const Setup = Type.Object({
  targets: Type.Array(TargetView),
  kinds: Type.Array(Type.Object({
    type: Type.String(),
    picture: Type.Boolean({ description: 'It accepts pictures' }),
    clip: Type.Boolean({ description: 'It accepts videos' }),
    fields: Type.Array(Field)
  }), { description: 'Kinds of targets that can be added' }),
  alerts: Type.Array(Type.String(), { description: 'Types of alerts' }),
  usual: Type.Array(Type.String(), { description: 'Types that a new target gets' }),
  quiet: Type.Object({
    hours: Nullable(Type.String({ description: 'Such as `22:00-07:00`' })),
    timeZone: Nullable(Type.String({ description: 'Null for that of the machine' })),
    origin: Type.Enum(['file', 'stored'])
  })
}, { 'x-name': 'MessageSetup' })
export type Setup = Static<typeof Setup>
