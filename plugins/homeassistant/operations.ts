import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { BrokerProblem } from './broker-problem.js'
import { BrokerFixed } from './errors.js'
import { BrokerSettings } from './stored-broker.js'

const { ca: _ca, ...open } = BrokerSettings.properties
const Settings = Type.Object(open, { additionalProperties: false })
const Announcing = Type.Pick(Settings, ['discoveryPrefix', 'topicPrefix', 'readOnly', 'imageOnAlert', 'imageSeconds'])
const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const Change = Type.Object({
  ...open,
  password: Type.Optional(orNull(Type.String({ maxLength: 1_024 }), 'Omitted: the stored one, for the same address; null for none')),
  ca: Type.Optional(orNull(Type.String({ maxLength: 64_000 }), 'Authorities, PEM. Omitted: the stored ones; null for those of the system'))
}, { additionalProperties: false })

const View = Type.Object({
  origin: Type.Enum(['file', 'stored', 'none'], { description: '`file`: from the configuration file, and only changed there' }),
  settings: orNull(Settings, 'Null without a broker'),
  initial: Announcing,
  has_password: Type.Boolean(),
  has_ca: Type.Boolean({ description: 'It has authorities of its own' }),
  state: orNull(Type.Object({
    connected_at: orNull(Type.Integer(), 'ms since the epoch; null while it is not connected'),
    failure: orNull(Type.Object({ ...BrokerProblem.properties, at: Type.Integer({ description: 'ms since the epoch' }) }),
      'The last one, which may be over')
  }), 'Null without a broker')
}, { 'x-name': 'HomeAssistantSetup' })

/** The address is shown to those who may change it. */
export const readBroker = operation({
  name: 'homeassistant.readBroker',
  summary: 'The broker of Home Assistant, and whether it is connected',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: View,
  run: ({ services: { homeassistant } }) => homeassistant.read()
})

export const changeBroker = operation({
  name: 'homeassistant.changeBroker',
  summary: 'Connect to the broker of Home Assistant',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Printers appear as devices there, and whoever can write to the broker can control them.',
  note: ({ host, port }) => `${host}:${port}`,
  input: Change,
  output: View,
  errors: [BrokerFixed],
  async run ({ services: { homeassistant } }, change) {
    await homeassistant.change(change)
    return homeassistant.read()
  }
})

export const removeBroker = operation({
  name: 'homeassistant.removeBroker',
  summary: 'Disconnect from the broker of Home Assistant',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The devices of the printers disappear from Home Assistant, and the password is deleted.',
  input: Type.Object({}),
  output: View,
  errors: [BrokerFixed],
  async run ({ services: { homeassistant } }) {
    await homeassistant.remove()
    return homeassistant.read()
  }
})

export const tryBroker = operation({
  name: 'homeassistant.tryBroker',
  summary: 'Log in to a broker that is not stored yet, and out again',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The service connects to that address; nothing is stored or published.',
  note: ({ host, port }) => `${host}:${port}`,
  input: Change,
  output: Type.Object({ problem: orNull(BrokerProblem, 'Null if the broker accepted the login') }),
  run: async ({ services: { homeassistant } }, change) => ({ problem: await homeassistant.try(change) ?? null })
})
