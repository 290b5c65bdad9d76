import { Type, type Static, type TProperties } from 'typebox'
import { LANGUAGES } from '../../core/index.js'
import { COMPARISONS, MOST, RUN_STATES, STEP_KINDS, STEP_STATES, TRIGGER_KINDS, URGENCIES } from './types.js'

const closed = { additionalProperties: false }
const optional = <T extends TProperties> (properties: T) => Type.Partial(Type.Object(properties), closed)
const Time = (what: string) => Type.Integer({ description: `${what}, ms since the epoch` })
const MaybeTime = (what: string) => Type.Union([Time(what), Type.Null()])
const MaybeText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 80, description })
const Zone = Type.String({ maxLength: 60, description: 'Time zone such as `Europe/Berlin`' })
const Value = (description: string) => Type.Unknown({ description })

export const Lang = Type.Enum(LANGUAGES, { description: 'Language of sentences; left out: en' })
export const RuleId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a rule' })

export const Trigger = Type.Object({
  kind: Type.Enum(TRIGGER_KINDS),
  ...optional({
    event: Type.String({ maxLength: 60, description: 'event: its name; sun: sunrise or sunset' }),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: 'event: values that its fields must have', maxProperties: 12 }),
    value: Type.String({ maxLength: 60, description: 'state: name of the value' }),
    is: Type.Enum(COMPARISONS, { description: 'state, mqtt: how it is compared' }),
    than: Value('state, mqtt: with what; a list for one_of'),
    for_s: Type.Integer({ minimum: 0, maximum: MOST.forS, description: 'state: how long it must stay so' }),
    cron: Type.String({ maxLength: 100, description: 'time: minute, hour, day, month, day of the week' }),
    zone: Zone,
    offset_min: Type.Integer({ minimum: -720, maximum: 720, description: 'sun: minutes after; negative: before' }),
    topic: Type.String({ maxLength: 200, description: 'mqtt: topic or filter' }),
    path: Type.String({ maxLength: 200, description: 'mqtt: member of a JSON message, such as a.b' })
  }).properties
}, { ...closed, description: 'What a rule begins with; members by kind' })

const Hours = Type.Object({
  from: Type.String({ maxLength: 5, description: '22:00' }),
  to: Type.String({ maxLength: 5, description: 'May be on the next day' }),
  days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7, description: '1 Monday to 7 Sunday' })),
  zone: Type.Optional(Zone)
}, closed)

const leaf = {
  value: Type.String({ maxLength: 60 }),
  printer: Type.String({ maxLength: 80, description: 'Its name; event: that of the event, which is usual' }),
  is: Type.Enum(COMPARISONS),
  than: Value('With what; a list for one_of'),
  hours: Hours
}
/** Nesting is written out: it has a limit, and every description of the schema can show it. */
const Innermost = optional(leaf)
const Inner = optional({ ...leaf, any: Type.Array(Innermost, { maxItems: MOST.conditions }), not: Innermost })
export const Condition = Type.Partial(Type.Object({
  ...leaf, any: Type.Array(Inner, { maxItems: MOST.conditions }), not: Inner
}), { ...closed, description: 'A value compared, hours, any of several, or not' })

export const Step = Type.Object({
  kind: Type.Enum(STEP_KINDS),
  ...optional({
    operation: Type.String({ maxLength: 80, description: 'call: such as climate.setLight' }),
    printer: Type.String({ maxLength: 80, description: 'call: its name; event: that of the event' }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description: 'call: of the operation; a value may be {"from": "event.FIELD"}', maxProperties: 40
    }),
    seconds: Type.Integer({ minimum: 1, maximum: MOST.waitS, description: 'wait' }),
    if: Type.Array(Condition, { maxItems: MOST.conditions, description: 'wait_until, stop_if: all of them' }),
    most_s: Type.Integer({ minimum: 1, maximum: MOST.waitS, description: 'wait_until: at most' }),
    otherwise: Type.Enum(['stop', 'go_on'], { description: 'wait_until: when the time is over' }),
    text: Type.String({ maxLength: MOST.text, description: 'message: plain text with {FIELD}' }),
    urgency: Type.Enum(URGENCIES, { description: 'message' })
  }).properties
}, { ...closed, description: 'Members by kind' })

export const ruleFields = {
  name: Name('What people call it'),
  printers: Type.Union([
    Type.Array(Type.String({ maxLength: 80 }), { minItems: 1, maxItems: MOST.printers }), Type.Null()
  ], {
    description: 'Names of printers; null: all that its author may see', title: 'a list of names, or null'
  }),
  when: Type.Array(Trigger, { minItems: 1, maxItems: MOST.triggers, description: 'Any of them' }),
  if: Type.Array(Condition, { maxItems: MOST.conditions, description: 'All of them' }),
  then: Type.Array(Step, { minItems: 1, maxItems: MOST.steps, description: 'One after the other' }),
  most_per_hour: Type.Integer({ minimum: 1, maximum: 60, description: 'Runs an hour; left out: 6' })
}

/** A rule as it is given. */
export const RuleInput = Type.Object({
  ...ruleFields,
  printers: Type.Optional(ruleFields.printers),
  if: Type.Optional(ruleFields.if),
  most_per_hour: Type.Optional(ruleFields.most_per_hour)
})

export const Reads = Type.Object({
  when: Type.Array(Type.String()), if: Type.Array(Type.String()), then: Type.Array(Type.String())
}, { description: 'In words, one for each part' })

export const Author = Type.Object({
  name: Type.String(),
  id: Type.Optional(Type.String({ description: 'Of a user' }))
})

const Reason = Type.Union([
  Type.Object({ code: Type.String(), values: Type.Record(Type.String(), Type.Unknown()) }), Type.Null()
], { description: 'The reason, independent of language' })

export const RunView = Type.Object({
  id: Type.String(),
  rule: Type.String(),
  rule_name: Type.String(),
  printer: MaybeText('Whom it concerned'),
  occurrence: Type.String({ description: 'What made it run, once' }),
  at: Time('When that happened'),
  ended_at: MaybeTime('End'),
  state: Type.Enum(RUN_STATES),
  reason: Type.String({ description: 'Why it ran, or did not, or how it ended' }),
  why: Reason,
  words: Type.String({ description: 'The same as a sentence' }),
  chain: Type.Array(Type.String(), { description: 'Rules whose acts led to it' }),
  chain_names: Type.Array(Type.String(), { description: 'Their names, as far as they are there' }),
  wait_until: MaybeTime('While it waits: at the latest until'),
  steps: Type.Array(Type.Object({
    step: Type.Integer({ description: 'From 1' }),
    state: Type.Enum(STEP_STATES),
    at: Time('Begin'),
    ended_at: MaybeTime('End'),
    what: Type.String(),
    words: Type.String({ description: 'What it did, as a sentence' }),
    reason: Type.String(),
    why: Reason
  }))
})

export const RuleView = Type.Object({
  id: Type.String(),
  ...ruleFields,
  enabled: Type.Boolean(),
  author: Author,
  created_at: Time('Added'),
  changed_at: Time('Changed'),
  paused_reason: MaybeText('Why the service paused it'),
  paused_why: Reason,
  next_at: MaybeTime('Next time by its schedules'),
  last_run: Type.Union([RunView, Type.Null()]),
  reads: Reads,
  consequence: Type.String({ description: 'What it does without a person' }),
  has_webhook: Type.Boolean()
})

export const Service = Type.Object({
  enabled: Type.Boolean({ description: 'False: no rule runs' }),
  changed_at: MaybeTime('Switched'),
  changed_by: Type.String()
})

export const RulesView = Type.Object({
  service: Service,
  rules: Type.Array(RuleView),
  proposals: Type.Integer({ description: 'That wait for a person' })
})

export const Secret = Type.Union([Type.String(), Type.Null()], {
  description: 'Path of its webhook, which is a secret and shown only now; null without one'
})

export const Problem = Type.Object({
  path: Type.String({ description: 'Such as then[0].input.on' }),
  words: Type.String(),
  code: Type.String({ description: 'Of the problem, independent of language' }),
  values: Type.Record(Type.String(), Type.Unknown(), { description: 'In the words' })
})

export const CheckView = Type.Object({
  ok: Type.Boolean(),
  errors: Type.Array(Problem),
  warnings: Type.Array(Problem),
  reads: Reads,
  consequence: Type.String(),
  accept_consequence: Type.String({ description: 'Send it when you save, after a person has read the consequence' })
})

const Named = Type.Object({ name: Type.String(), words: Type.String() })
const Open = Type.Record(Type.String(), Type.Unknown())

export const Vocabulary = Type.Object({
  events: Type.Array(Type.Object({
    ...Named.properties,
    per_printer: Type.Boolean(),
    has_past: Type.Boolean({ description: 'A dry run can look it up' }),
    fields: Type.Array(Type.Object({
      ...Named.properties,
      type: Type.String(),
      choices: Type.Array(Type.String())
    }))
  })),
  values: Type.Array(Type.Object({
    ...Named.properties,
    type: Type.Enum(['number', 'text', 'boolean']),
    unit: Type.String(),
    choices: Type.Array(Type.String()),
    per_printer: Type.Boolean()
  })),
  operations: Type.Array(Type.Object({
    ...Named.properties,
    per_printer: Type.Boolean(),
    effect: Type.String(),
    consequence: Type.String(),
    input: Open
  })),
  triggers: Type.Array(Type.Object({
    kind: Type.Enum(TRIGGER_KINDS), available: Type.Boolean(), why_not: Type.String()
  })),
  printers: Type.Array(Type.String())
})

export const TryView = Type.Object({
  days: Type.Integer(),
  would_run: Type.Integer({ description: 'Times that it would have run' }),
  times: Type.Array(Type.Object({
    at: Time('When'),
    printer: MaybeText('Whom it concerned'),
    what: Type.String(),
    would: Type.Boolean(),
    why: Type.String()
  })),
  notes: Type.Array(Type.String({ description: 'What the past does not tell' }))
})

export const ProposalView = Type.Object({
  id: Type.String(),
  by: Type.String(),
  at: Time('Proposed'),
  why: Type.String(),
  rule: RuleInput,
  ...CheckView.properties
})

export type RuleInput = Static<typeof RuleInput>
export type RunView = Static<typeof RunView>
export type RuleView = Static<typeof RuleView>
export type CheckView = Static<typeof CheckView>
