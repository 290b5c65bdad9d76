import { Type } from 'typebox'
import { ok, route } from '../../core/index.js'
import { setBedTarget, setChamberTarget, setFan, setLight, setNozzleTarget, toggleActiveTool } from './operations.js'
import { Percent, type Fan } from './schemas.js'

const tag = 'Climate'
const Temp = Type.Integer({ description: 'Target in °C; 0 turns the heater off, a negative value counts as 0' })

const fanRoute = (fan: Fan, path: string, summary: string) => route(setFan, {
  method: 'PATCH',
  path,
  tag,
  summary,
  params: Type.Object({ percent: Percent }),
  input: ({ percent }) => ({ fan, percent }),
  reply: ok
})

export default [
  fanRoute('aux', '/set_aux_fan_speed_target', 'Set the auxiliary (recirculation) fan'),
  route(setBedTarget, {
    method: 'PATCH',
    path: '/set_bed_target_temp',
    tag,
    params: Type.Object({ temp: Temp }),
    input: ({ temp }) => ({ celsius: temp }),
    reply: ok
  }),
  route(setChamberTarget, {
    method: 'PATCH',
    path: '/set_chamber_target_temp',
    tag,
    params: Type.Object({ temp: Temp }),
    input: ({ temp }) => ({ celsius: temp }),
    reply: ok
  }),
  fanRoute('exhaust', '/set_exhaust_fan_speed_target', 'Set the exhaust fan'),
  fanRoute('part_cooling', '/set_fan_speed_target', 'Set the part-cooling fan'),
  route(setLight, {
    method: 'PATCH',
    path: '/set_light_state',
    tag,
    params: Type.Object({ state: Type.Enum(['on', 'off'], { description: 'Requested state of the chamber light' }) }),
    input: ({ state }) => ({ on: state === 'on' }),
    reply: ok
  }),
  route(setNozzleTarget, {
    method: 'PATCH',
    path: '/set_tool_target_temp',
    tag,
    params: Type.Object({
      temp: Temp,
      extruder: Type.Optional(Type.Integer({
        minimum: 0,
        maximum: 1,
        description: '0 right, 1 left; the active tool when left out',
        'x-openapi': { enum: [0, 1] }
      }))
    }),
    input: ({ temp, extruder }) => ({ celsius: temp, extruder: extruder ?? -1 }),
    reply: ok
  }),
  route(toggleActiveTool, { method: 'PATCH', path: '/toggle_active_tool', tag, reply: ok })
]
