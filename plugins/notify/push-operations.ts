import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { alertTypes } from './alert-types.js'
import { NotTaken, NoTarget, TargetsFull } from './errors.js'
import { USUAL_ALERTS } from './options.js'
import { PUSH } from './push.js'
import { TargetName, TargetRule } from './stored-targets.js'

const Done = Type.Object({ name: Type.String() })
const note = ({ name }: { name: string }) => name
const Key = Type.String({ pattern: '^[\\w-]{16,128}={0,2}$', description: 'Base64 for URLs' })

const Device = Type.Object({
  name: Type.String(),
  added_at: Type.Integer({ description: 'ms since the epoch' }),
  rule: TargetRule,
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why it did not accept the last message' })
})

export const readPush = operation({
  name: 'notify.readPush',
  summary: 'Your devices that get messages, and the key that a browser needs to subscribe',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({
    publicKey: Type.String({ description: 'For `applicationServerKey`' }),
    mayAdd: Type.Boolean({ description: 'False for callers without a login who are on the network' }),
    devices: Type.Array(Device, { description: 'Of the caller' }),
    alerts: Type.Array(Type.String(), { description: 'Types of alerts' }),
    usual: Type.Array(Type.String(), { description: 'Types that a new device gets' })
  }),
  async run ({ caller, trusted, services: { messages } }) {
    const asker = { caller, trusted }
    const { devices } = messages
    const mayAdd = devices.mayAdd(asker)
    const problems = new Map(messages.targets().map(({ name, problem }) => [name, problem]))
    return {
      publicKey: mayAdd ? await devices.publicKey() : '',
      mayAdd,
      devices: devices.list(asker).map(({ name, rule, addedAt = 0 }) =>
        ({ name, rule, added_at: addedAt, problem: problems.get(name) ?? null })),
      alerts: alertTypes(),
      usual: [...USUAL_ALERTS]
    }
  }
})

export const addDevice = operation({
  name: 'notify.addDevice',
  summary: 'Send messages to this browser by Web Push',
  effect: 'write',
  scope: 'daemon',
  consequence: 'From now on messages about the printers are sent to this browser, through its push service.',
  note,
  input: Type.Object({
    name: TargetName,
    endpoint: Type.String({ pattern: '^https://', maxLength: 1_024, description: 'As the browser gives it' }),
    p256dh: Key,
    auth: Key,
    rule: TargetRule,
    replaces: Type.Optional(Type.String({
      pattern: '^https://',
      maxLength: 1_024,
      description: 'The endpoint that the browser has renewed: that device keeps its name and rule. Refused if there is none'
    }))
  }),
  output: Done,
  errors: [TargetsFull, NoTarget],
  async run ({ caller, trusted, services: { messages } }, { name, endpoint, p256dh, auth, rule, replaces }) {
    const asker = { caller, trusted }
    return { name: await messages.devices.add(asker, name, { endpoint, keys: { p256dh, auth } }, rule, replaces) }
  }
})

export const changeDevice = operation({
  name: 'notify.changeDevice',
  summary: 'Change which messages your device gets',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Messages are sent to the device as it says from now on.',
  note,
  input: Type.Object({ name: TargetName, rule: TargetRule }),
  output: Done,
  errors: [NoTarget],
  async run ({ caller, trusted, services: { messages } }, { name, rule }) {
    messages.devices.find({ caller, trusted }, name)
    await messages.setup.change(name, undefined, rule)
    return { name }
  }
})

export const removeDevice = operation({
  name: 'notify.removeDevice',
  summary: 'Send no more messages to your device',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'Messages that wait for the device are given up.',
  note,
  input: Type.Object({ name: TargetName }),
  output: Done,
  errors: [NoTarget],
  async run ({ caller, trusted, services: { messages } }, { name }) {
    messages.devices.find({ caller, trusted }, name)
    await messages.setup.remove(name)
    return { name }
  }
})

export const testDevice = operation({
  name: 'notify.testDevice',
  summary: 'Send a test message to your device',
  effect: 'write',
  scope: 'daemon',
  consequence: 'A message is sent; nothing on a printer changes.',
  note,
  input: Type.Object({ name: TargetName }),
  output: Done,
  errors: [NoTarget, NotTaken],
  async run ({ caller, trusted, services: { messages }, signal }, { name }) {
    if (messages.devices.find({ caller, trusted }, name).type === PUSH) await messages.sendTest(name, signal)
    return { name }
  }
})
