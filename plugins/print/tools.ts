import { Type } from 'typebox'
import { BadInput, tool } from '../../core/index.js'
import { SPEEDS, type Speed } from './commands.js'
import {
  clearPrintError, Gcode, linesOf, pausePrint, requestOf, resumePrint, sendGcode, sendRequest, setSpeed,
  skipObjects, stopPrint
} from './operations.js'

function speedOf (text: string): Speed {
  const level = SPEEDS.find(known => known === text.trim().toLowerCase())
  if (level === undefined) throw new BadInput(`Invalid speed_level '${text}'. Choose from: [${SPEEDS.join(', ')}]`)
  return level
}

function idsOf (ids: readonly number[]): number[] {
  if (ids.length === 0) throw new BadInput('object_list must not be empty.')
  return [...ids]
}

const cleared = clearPrintError.input.properties

export default [
  tool(clearPrintError, {
    name: 'clear_print_error',
    returns: 'text',
    params: Type.Object({ print_error: cleared.print_error, subtask_id: cleared.subtask_id }),
    input: params => params,
    doing: 'clearing print error on <name>',
    result: (_, { print_error: error = 0 }, printer) =>
      `clear_print_error command sent to '${printer}' (print_error=${error}).`
  }),
  tool(pausePrint, {
    name: 'pause_print',
    returns: 'text',
    doing: 'pausing <name>',
    result: (_, __, printer) => `Pause command sent to '${printer}'.`
  }),
  tool(resumePrint, {
    name: 'resume_print',
    returns: 'text',
    doing: 'resuming <name>',
    result: (_, __, printer) => `Resume command sent to '${printer}'.`
  }),
  tool(sendGcode, {
    name: 'send_gcode',
    returns: 'text',
    doing: 'sending G-code to <name>',
    idempotent: false,
    params: Gcode,
    input: linesOf,
    result: (_, __, printer) => `G-code sent to '${printer}'.`
  }),
  tool(setSpeed, {
    name: 'set_print_speed',
    returns: 'text',
    doing: 'setting speed on <name>',
    params: Type.Object({ speed_level: Type.String({ description: SPEEDS.join(', ') }) }),
    input: ({ speed_level: level }) => ({ level: speedOf(level) }),
    result: (_, { speed_level: level }, printer) => `Speed level set to '${level}' on '${printer}'.`
  }),
  tool(skipObjects, {
    name: 'skip_objects',
    returns: 'text',
    doing: 'skipping objects on <name>',
    params: Type.Object({ object_list: Type.Array(Type.Integer({ minimum: 0 }), { description: 'identify_id values' }) }),
    input: ({ object_list: ids }) => ({ ids: idsOf(ids) }),
    result: (_, { object_list: ids }, printer) =>
      `Skip-objects command sent for IDs [${ids.join(', ')}] on '${printer}'.`
  }),
  tool(stopPrint, {
    name: 'stop_print',
    returns: 'text',
    doing: 'stopping <name>',
    params: Type.Object({}),
    input: () => ({}),
    result: (_, __, printer) => `Stop command sent to '${printer}'.`
  }),
  tool(sendRequest, {
    name: 'send_mqtt_command',
    doing: 'sending command to <name>',
    idempotent: false,
    params: Type.Object({ command_json: Type.String({ description: 'JSON object' }) }),
    input: ({ command_json: text }) => ({ request: requestOf(text, 'Invalid JSON') }),
    answer: Type.Object({
      success: Type.Boolean(), message: Type.String(), command: sendRequest.output.properties.request
    }),
    result: ({ request }, _, printer) => ({ success: true, message: `Command sent to '${printer}'.`, command: request })
  })
]
