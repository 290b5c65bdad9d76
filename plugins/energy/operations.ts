import { Type } from 'typebox'
import { operation, PrinterClaimed } from '../../core/index.js'
import {
  NoPlug, PlugBusy, PlugDraws, PlugElsewhere, PlugExists, PlugInUse, PlugKnown, PlugsFull, PlugSilent, PlugStays,
  PlugUnconfirmed
} from './errors.js'
import { KINDS, PlugSettings } from './kinds.data.js'
import { staysInWords } from './off-check.js'
import { Prices } from './prices.js'
import { EnergyView, SetupView, TestView, UseView } from './schemas.js'

const Id = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a plug' })
const ById = Type.Object({ id: Id })
const ByIdOrName = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, description: 'Id or name of a plug' }) })
const Name = Type.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_ .-]{0,39}$', description: 'Letters, digits, spaces, `.`, `-` and `_`' })
const Kind = Type.Enum(KINDS, { description: 'How it is reached' })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Local day, such as `2026-11-29`' })

const owner = {
  printer: Type.Optional(Type.String({ maxLength: 64, description: 'Name of the printer that it feeds; empty: it stands alone' })),
  unit: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 255 }), Type.Null()], {
    description: 'Id of the drying unit that it feeds instead, such as 128 for the first AMS HT; null: the printer itself'
  })),
  on_for_jobs: Type.Optional(Type.Boolean({ description: 'Switch it on when a job of the queue waits for its printer' })),
  off_after_min: Type.Optional(Type.Union([Type.Integer({ minimum: 5, maximum: 1_440 }), Type.Null()], {
    description: 'Switch it off after so many idle minutes; null: never'
  }))
}
const Password = Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
  description: 'Of the device, where it asks for one; left out: as it is; null: none'
})

export const readEnergy = operation({
  name: 'energy.list',
  summary: 'Plugs with their power now and what they used today, and the price of energy',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: EnergyView,
  run: ({ services: { energy } }) => energy.view()
})

export const readEnergyUse = operation({
  name: 'energy.use',
  summary: 'Energy by day and printer: of prints, between them, and its cost',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    printer_name: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only of this printer' })),
    since: Type.Optional(Day),
    until: Type.Optional(Day)
  }),
  output: UseView,
  run: ({ services: { energy } }, { printer_name: printer, since, until }) => energy.use({ printer, since, until })
})

export const readPlugSetup = operation({
  name: 'energy.readSetup',
  summary: 'The addresses of plugs, without passwords',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: SetupView,
  async run ({ services: { energy } }) {
    await energy.view()
    return { plugs: energy.setup() }
  }
})

export const addPlug = operation({
  name: 'energy.addPlug',
  summary: 'Add a plug of a printer, of a drying unit, or one that stands alone',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The plug is read from now on; it is switched by itself only if that is chosen here.',
  note: ({ name }) => name,
  input: Type.Object({
    name: Name, kind: Kind, settings: PlugSettings, ...owner, password: Type.Optional(Password)
  }),
  output: ById,
  errors: [PlugExists, PlugKnown, PlugsFull],
  run: async ({ services: { energy }, askedBy }, given) => ({ id: await energy.add(given, askedBy) })
})

export const changePlug = operation({
  name: 'energy.changePlug',
  summary: 'Change a plug',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The plug is read and switched as it says from now on; it is not switched by this.',
  note: ({ id }) => id,
  input: Type.Object({
    id: Id,
    name: Type.Optional(Name),
    kind: Type.Optional(Kind),
    settings: Type.Optional(PlugSettings),
    ...owner,
    password: Type.Optional(Password)
  }),
  output: ById,
  errors: [NoPlug, PlugExists, PlugKnown, PlugInUse, PlugBusy, PlugElsewhere],
  async run ({ services: { energy } }, { id, ...given }) {
    await energy.change(id, given)
    return { id }
  }
})

export const removePlug = operation({
  name: 'energy.removePlug',
  summary: 'Remove a plug',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The plug stays as it is, on or off, and is read no more. What it counted stays with its prints.',
  note: ({ id }) => id,
  input: ById,
  output: ById,
  errors: [NoPlug, PlugInUse, PlugBusy, PlugElsewhere],
  async run ({ services: { energy } }, { id }) {
    await energy.remove(id)
    return { id }
  }
})

export const testPlug = operation({
  name: 'energy.testPlug',
  summary: 'Read a plug that is not stored yet',
  effect: 'local',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({
    kind: Kind, settings: PlugSettings, password: Type.Optional(Password), id: Type.Optional(Id)
  }),
  output: TestView,
  errors: [PlugSilent],
  async run ({ services: { energy }, signal }, { id, ...given }) {
    const { isOn, watts, wh } = await energy.try(given, id, signal)
    return { is_on: isOn ?? null, watts: watts ?? null, wh: wh ?? null }
  }
})

export const turnPlugOn = operation({
  name: 'energy.turnOn',
  summary: 'Switch a plug on',
  effect: 'write',
  scope: 'daemon',
  consequence: 'What is plugged in gets power: a printer starts, and may offer to resume a print.',
  note: ({ id }) => id,
  input: ByIdOrName,
  output: ById,
  errors: [NoPlug, PlugBusy, PlugElsewhere, PlugSilent, PlugUnconfirmed],
  async run ({ services: { energy }, askedBy, signal }, given) {
    const id = energy.idOf(given.id)
    await energy.turnOn(id, askedBy, signal)
    return { id }
  }
})

export const turnPlugOff = operation({
  name: 'energy.turnOff',
  summary: 'Switch a plug off, if nothing prints, heats or dries behind it',
  effect: 'write',
  scope: 'daemon',
  consequence: 'What is plugged in loses its power. Refused while its printer prints, is hot, dries, or is not known to be idle.',
  note: ({ id }) => id,
  input: ByIdOrName,
  output: ById,
  errors: [NoPlug, PlugBusy, PlugDraws, PlugElsewhere, PlugSilent, PlugStays, PlugUnconfirmed, PrinterClaimed],
  async preview ({ services: { energy } }, given) {
    const id = energy.idOf(given.id)
    const stays = await energy.whyStays(id)
    if (stays) throw new PlugStays(id, staysInWords(stays))
    return { checked: ['nothing prints, heats, dries or is sent behind the plug'] }
  },
  async run ({ services: { energy }, askedBy, signal }, given) {
    const id = energy.idOf(given.id)
    await energy.turnOff(id, askedBy, signal)
    return { id }
  }
})

export const setPrices = operation({
  name: 'energy.setPrices',
  summary: 'Set the price of energy, by hour and weekday',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Energy that is used from now on has these prices; what was counted keeps its own.',
  input: Prices,
  output: Prices,
  async run ({ services: { energy } }, prices) {
    await energy.setPrices(prices)
    return prices
  }
})
