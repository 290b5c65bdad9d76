import { Type } from 'typebox'
import { ok, route } from '../../../core/index.js'
import {
  setBedTarget, setChamberTarget, setFan, setLight, toggleActiveTool
} from '../../../plugins/climate/operations.js'
import { setActiveTarget } from '../operations/climate.js'
import { percentOf, Success, Whole } from '../param-schemas.js'

const tag = 'Climate'
const Temp = Type.Object({ temp: Whole('Required. Target in °C; 0 turns the heater off, a negative value counts as 0') })
const shape = { method: 'GET', tag, body: Success, reply: ok } as const

const celsiusOf = ({ temp = 0 }: { temp?: number }) => ({ celsius: temp })

const fan = (fan: 'part_cooling' | 'aux' | 'exhaust', path: string, summary: string) => route(setFan, {
  ...shape,
  path,
  summary,
  params: Type.Object({ percent: Whole('Required. 0 to 100; what lies outside counts as the nearest of them') }),
  input: ({ percent }) => ({ fan, percent: percentOf(percent) })
})

export default [
  route(setActiveTarget, { ...shape, path: '/set_tool_target_temp', params: Temp, input: celsiusOf }),
  route(setBedTarget, { ...shape, path: '/set_bed_target_temp', params: Temp, input: celsiusOf }),
  route(setChamberTarget, { ...shape, path: '/set_chamber_target_temp', params: Temp, input: celsiusOf }),
  fan('part_cooling', '/set_fan_speed_target', 'Set the part cooling fan'),
  fan('aux', '/set_aux_fan_speed_target', 'Set the auxiliary fan'),
  fan('exhaust', '/set_exhaust_fan_speed_target', 'Set the exhaust fan'),
  route(toggleActiveTool, { ...shape, path: '/toggle_active_tool', params: Type.Object({}), input: () => ({}) }),
  route(setLight, {
    ...shape,
    path: '/set_light_state',
    summary: 'Switch all lights',
    params: Type.Object({ state: Type.Optional(Type.String({ description: 'Required. `on`; anything else is off' })) }),
    input: ({ state }) => ({ on: state === 'on' })
  })
]
