import { Type, type Static } from 'typebox'
import { KINDS, PlugSettings } from './kinds.data.js'
import { Prices } from './prices.js'

const NullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const used = {
  wh: Type.Number({ description: 'Wh in all' }),
  prints_wh: Type.Number({ description: 'Of prints' }),
  idle_wh: Type.Number({ description: 'Between prints, and of drying' }),
  cost: Type.Number({ description: 'As far as a price is known' })
}

export const StaysView = Type.Object({
  code: Type.String(),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  text: Type.String()
}, { description: 'Why it must not be switched off now' })

export const PlugView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.Enum(KINDS),
  printer: Type.String({ description: 'Name; empty for one that stands alone' }),
  belongs: Type.Enum(['printer', 'dryer', 'alone', 'gone'], { description: '`gone`: to a printer that is not known here' }),
  unit: Type.Union([Type.Integer(), Type.Null()], { description: 'The drying unit that it feeds; null: the printer' }),
  on_for_jobs: Type.Boolean({ description: 'Switched on when a job of the queue waits for its printer' }),
  off_after_min: Type.Union([Type.Integer(), Type.Null()], { description: 'Switched off after so many idle minutes; null: never' }),
  is_on: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null: not known now' }),
  watts: NullableNumber('Drawn now, W'),
  heard_at: Type.Union([Type.Integer(), Type.Null()], { description: 'When it was heard last, ms since the epoch' }),
  is_lost: Type.Boolean({ description: 'It does not answer' }),
  problem: Type.String({ description: 'Why it cannot be asked; empty without a problem' }),
  is_driven: Type.Boolean({ description: 'This service switches and counts it' }),
  counted_by: Type.Union([Type.Enum(['counter', 'power']), Type.Null()], { description: 'Its counter, or the power that it reports; null: not yet' }),
  today_wh: Type.Number(),
  today_cost: Type.Number({ description: 'As far as a price is known' }),
  waits_for_person: Type.Boolean({ description: 'It is off and not by this service, so jobs do not switch it on' }),
  stays: Type.Union([StaysView, Type.Null()])
}, { 'x-name': 'Plug' })
export type PlugView = Static<typeof PlugView>

export const EnergyView = Type.Object({
  plugs: Type.Array(PlugView),
  watts: NullableNumber('Of all plugs now, W; null when none says it'),
  today_wh: Type.Number(),
  today_cost: Type.Number(),
  prices: Prices,
  price_now: NullableNumber('Of a kWh; null when unknown'),
  has_broker: Type.Boolean({ description: 'Messages (MQTT) reach a broker' })
}, { 'x-name': 'Energy' })
export type EnergyView = Static<typeof EnergyView>

export const UseView = Type.Object({
  ...used,
  currency: Type.String(),
  today: Type.String({ description: 'Such as `2026-11-29`: days are those of the time zone of the prices' }),
  days: Type.Array(Type.Object({ day: Type.String({ description: 'Such as `2026-11-29`' }), ...used })),
  printers: Type.Array(Type.Object({ printer: Type.String({ description: 'Name, serial of one that is gone, or empty' }), ...used }))
}, { 'x-name': 'EnergyUse' })
export type UseView = Static<typeof UseView>

export const SetupView = Type.Object({
  plugs: Type.Array(Type.Object({
    id: Type.String(),
    settings: PlugSettings,
    has_password: Type.Boolean({ description: 'This service has one; it is never shown' })
  }))
}, { 'x-name': 'PlugSetup' })

export const TestView = Type.Object({
  is_on: Type.Union([Type.Boolean(), Type.Null()]),
  watts: NullableNumber('W; null: not said'),
  wh: NullableNumber('Its counter, Wh; null: not said')
}, { 'x-name': 'PlugTest' })
