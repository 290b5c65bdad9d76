import { Type } from 'typebox'
import { BadInput, ok, route } from '../../core/index.js'
import { SPEEDS, type Speed } from './commands.js'
import {
  clearPrintError, Gcode, linesOf, pausePrint, requestOf, resumePrint, sendGcode, sendRequest, setSpeed,
  skipObjects, stopPrint
} from './operations.js'

const tag = 'Print Control'

function speedOf (text = ''): Speed {
  const level = SPEEDS.find(known => known === text.trim().toLowerCase())
  if (level === undefined) throw new BadInput(`Invalid level '${text}'. Must be one of: ${SPEEDS.join(', ')}.`)
  return level
}

const WHOLE = /^\d{1,10}$/
const isId = (item: unknown): item is number => Number.isInteger(item) && (item as number) >= 0

/** Comma-separated numbers, or a JSON list. */
function idsOf (given: unknown): number[] {
  const items = typeof given === 'string'
    ? given.split(',').map(item => WHOLE.test(item.trim()) ? Number(item) : item)
    : [given].flat()
  const wrong = items.find(item => !isId(item))
  if (items.length === 0 || wrong !== undefined) throw new BadInput('objects must be comma-separated integers')
  return items.filter(isId)
}

export default [
  route(clearPrintError, { method: 'POST', path: '/clear_print_error', tag, reply: ok }),
  route(pausePrint, { method: 'POST', path: '/pause_printing', tag, reply: ok }),
  route(resumePrint, { method: 'POST', path: '/resume_printing', tag, reply: ok }),
  route(stopPrint, { method: 'POST', path: '/stop_printing', tag, reply: ok }),
  route(sendGcode, {
    method: 'POST',
    path: '/send_gcode',
    tag,
    params: Gcode,
    input: linesOf,
    reply: ok
  }),
  route(sendRequest, {
    method: 'POST',
    path: '/send_mqtt_command',
    tag,
    params: Type.Object({
      command_json: Type.Unknown({
        description: 'A JSON object, as text or as it is',
        'x-openapi': { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] }
      })
    }),
    input: ({ command_json: given }) => ({ request: requestOf(given, 'invalid JSON') }),
    reply: ok
  }),
  route(setSpeed, {
    method: 'PATCH',
    path: '/set_speed_level',
    tag,
    params: Type.Object({ level: Type.Optional(Type.String({ description: 'Speed profile', 'x-openapi': { required: true, enum: SPEEDS } })) }),
    input: ({ level }) => ({ level: speedOf(level) }),
    reply: ok
  }),
  route(skipObjects, {
    method: 'POST',
    path: '/skip_objects',
    tag,
    params: Type.Object({
      objects: Type.Unknown({
        description: 'identify_id values with commas between them, or a list of them',
        'x-openapi': {
          anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }, { type: 'array', items: { type: 'integer', minimum: 0 } }]
        }
      }),
      job_start: skipObjects.input.properties.job_start
    }),
    input: ({ objects, job_start: start }) =>
      ({ ids: idsOf(objects), ...(start !== undefined && { job_start: start }) }),
    reply: ok
  })
]
