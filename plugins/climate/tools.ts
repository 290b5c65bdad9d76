import { Type } from 'typebox'
import { BadInput, tool } from '../../core/index.js'
import { setBedTarget, setChamberTarget, setFan, setLight, setNozzleTarget } from './operations.js'
import { Extruder, FANS, type Fan } from './schemas.js'

const Temp = Type.Object({ temp: Type.Number({ description: '0 = off' }) })

function fanOf (name: string): Fan {
  const fan = FANS.find(known => known === name.trim().toLowerCase())
  if (fan === undefined) throw new BadInput(`Unknown fan '${name}'. Valid values: [${FANS.join(', ')}]`)
  return fan
}

function percentOf (percent: number): number {
  if (percent < 0 || percent > 100) throw new BadInput(`speed_percent must be between 0 and 100, got ${percent}.`)
  return percent
}

export default [
  tool(setBedTarget, {
    name: 'set_bed_temp',
    returns: 'text',
    doing: 'setting bed temp on <name>',
    params: Temp,
    input: ({ temp }) => ({ celsius: temp }),
    result: (_, { temp }, printer) => `Bed temp target set to ${temp}°C on '${printer}'.`
  }),
  tool(setLight, {
    name: 'set_chamber_light',
    returns: 'text',
    doing: 'setting chamber light on <name>',
    result: (_, { on }, printer) => `Chamber light turned ${on ? 'on' : 'off'} on '${printer}'.`
  }),
  tool(setChamberTarget, {
    name: 'set_chamber_temp',
    returns: 'text',
    doing: 'setting chamber temp on <name>',
    params: Temp,
    input: ({ temp }) => ({ celsius: temp }),
    result: (_, { temp }, printer) => `Chamber temp target set to ${temp}°C on '${printer}'.`
  }),
  tool(setFan, {
    name: 'set_fan_speed',
    returns: 'text',
    doing: 'setting fan speed on <name>',
    params: Type.Object({
      fan: Type.String({ description: FANS.join(', ') }),
      speed_percent: Type.Integer({ description: '0-100' })
    }),
    input: ({ fan, speed_percent: percent }) => ({ fan: fanOf(fan), percent: percentOf(percent) }),
    result: (_, { fan, speed_percent: percent }, printer) => `${fan} fan set to ${percent}% on '${printer}'.`
  }),
  tool(setNozzleTarget, {
    name: 'set_nozzle_temp',
    returns: 'text',
    doing: 'setting nozzle temp on <name>',
    params: Type.Object({ ...Temp.properties, extruder: Type.Optional({ ...Extruder, default: 0 }) }),
    input: ({ temp, extruder }) => ({ celsius: temp, extruder: extruder ?? 0 }),
    result: (_, { temp, extruder }, printer) =>
      `Nozzle temp target set to ${temp}°C (extruder ${extruder ?? 0}) on '${printer}'.`
  })
]
