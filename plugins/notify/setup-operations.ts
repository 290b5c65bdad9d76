import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { NotTaken, NoTarget, QuietFixed, TargetExists, TargetFixed, TargetsFull } from './errors.js'
import { Hours } from './hours.js'
import { Setup } from './setup-schemas.js'
import { TargetName, TargetRule } from './stored-targets.js'

const Kind = Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'Such as `ntfy`' })
const Values = Type.Record(Type.String({ pattern: '^[A-Za-z]\\w{0,39}$' }), Type.Unknown(), {
  maxProperties: 32, description: 'Options of the kind; omitted secrets keep their value, null removes one'
})
const Done = Type.Object({ name: Type.String() })
const note = ({ name }: { name: string }) => name

/** Addresses are shown to those who may change them. */
export const readSetup = operation({
  name: 'notify.readSetup',
  summary: 'Targets of messages with their options, and the kinds that can be added',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: Setup,
  run: ({ services: { messages } }) => messages.setup.read()
})

export const addTarget = operation({
  name: 'notify.addTarget',
  summary: 'Add a target for messages',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'From now on messages about the printers are sent there.',
  note,
  input: Type.Object({ name: TargetName, type: Kind, options: Values, rule: TargetRule }),
  output: Done,
  errors: [TargetExists, TargetsFull],
  async run ({ services: { messages } }, { rule, ...change }) {
    await messages.setup.add(change, rule)
    return { name: change.name }
  }
})

export const changeTarget = operation({
  name: 'notify.changeTarget',
  summary: 'Change a target for messages that was added in the browser',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Messages, also those that wait, are sent as it says from now on.',
  note,
  input: Type.Object({ name: TargetName, options: Type.Optional(Values), rule: Type.Optional(TargetRule) }),
  output: Done,
  errors: [NoTarget, TargetFixed],
  async run ({ services: { messages } }, { name, options, rule }) {
    await messages.setup.change(name, options, rule)
    return { name }
  }
})

export const removeTarget = operation({
  name: 'notify.removeTarget',
  summary: 'Remove a target for messages that was added in the browser',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Its secrets are deleted, and messages that wait for it are given up.',
  note,
  input: Type.Object({ name: TargetName }),
  output: Done,
  errors: [NoTarget, TargetFixed],
  async run ({ services: { messages } }, { name }) {
    await messages.setup.remove(name)
    return { name }
  }
})

export const tryTarget = operation({
  name: 'notify.tryTarget',
  summary: 'Send a test message to a target that is not stored yet',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'A message is sent; nothing is stored, and nothing on a printer changes.',
  note,
  input: Type.Object({ name: TargetName, type: Kind, options: Values }),
  output: Done,
  errors: [NotTaken],
  async run ({ services: { messages }, signal }, change) {
    await messages.setup.try(change, signal)
    return { name: change.name }
  }
})

export const setQuietHours = operation({
  name: 'notify.setQuietHours',
  summary: 'Set the quiet hours of messages',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Messages in these hours wait until they end, except urgent ones.',
  input: Type.Object({
    hours: Type.Union([Hours('Such as `22:00-07:00`'), Type.Null()], { description: 'Null for none' }),
    timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'Such as `Europe/Berlin`. Default: that of the machine' }))
  }),
  output: Type.Object({ hours: Type.Union([Type.String(), Type.Null()]) }),
  errors: [QuietFixed],
  async run ({ services: { messages } }, { hours, timeZone }) {
    await messages.setup.setQuiet(hours ?? undefined, timeZone)
    return { hours }
  }
})
