import { Type } from 'typebox'
import {
  answerTo, BadInput, checkAnswer, DialogueGone, isNestedWithin, MOST_LEVELS, NotAnAnswer, notPrinting, operation
} from '../../core/index.js'
import { checkJob, checkObjects, hasJob, JobChanged, NoJob } from './checks.js'
import { clearError, closeDialogue, gcode, pause, resume, skip, speed, SPEEDS, stop } from './commands.js'

const Confirmation = Type.Object({
  confirmed: Type.Boolean({ description: 'The printer answered; many commands are never answered' })
})
const Nothing = Type.Object({})

const JobStart = Type.Optional(Type.Number({
  description: 'Only the job that began then, its `wall_start_time`; left out: whichever job there is'
}))

export const pausePrint = operation({
  name: 'print.pause',
  summary: 'Pause the current job',
  effect: 'write',
  consequence: 'The running job halts at the next safe point.',
  sendsOnly: true,
  input: Nothing,
  output: Confirmation,
  guards: [hasJob],
  errors: [NoJob],
  run: ({ session }) => session.perform('to pause', pause)
})

export const resumePrint = operation({
  name: 'print.resume',
  summary: 'Resume a paused job',
  effect: 'write',
  consequence: 'The paused job goes on: the printer heats and moves.',
  sendsOnly: true,
  input: Nothing,
  output: Confirmation,
  guards: [hasJob],
  errors: [NoJob],
  run: ({ session }) => session.perform('to resume', resume)
})

export const stopPrint = operation({
  name: 'print.stop',
  summary: 'Cancel the current job',
  effect: 'destructive',
  consequence: 'The job is cancelled for good.',
  sendsOnly: true,
  input: Type.Object({ job_start: JobStart }),
  output: Confirmation,
  guards: [hasJob],
  errors: [NoJob, JobChanged],
  run (context, { job_start: start }) {
    checkJob(context, start)
    return context.session.perform('to stop', stop)
  }
})

export const setSpeed = operation({
  name: 'print.setSpeed',
  summary: 'Set the print speed profile',
  effect: 'write',
  consequence: 'Speed and quality of the running job change.',
  sendsOnly: true,
  input: Type.Object({ level: Type.Enum(SPEEDS) }),
  output: Confirmation,
  run: ({ session }, { level }) => session.perform('to change the speed', speed(level))
})

export const skipObjects = operation({
  name: 'print.skipObjects',
  summary: 'Leave objects out of the running job',
  effect: 'destructive',
  consequence: 'The listed objects are not printed any more in this job; this cannot be undone.',
  sendsOnly: true,
  input: Type.Object({
    ids: Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1, maxItems: 1000 }),
    job_start: JobStart
  }),
  output: Confirmation,
  guards: [hasJob],
  errors: [NoJob, JobChanged],
  run (context, { ids, job_start: start }) {
    checkJob(context, start)
    checkObjects(context, ids)
    return context.session.perform('to skip objects', skip(ids))
  }
})

export const clearPrintError = operation({
  name: 'print.clearError',
  summary: 'Clear an error and its dialogue',
  effect: 'write',
  consequence: 'The error is cleared and the dialogue on the printer acknowledged; the cause may persist.',
  sendsOnly: true,
  input: Type.Object({
    print_error: Type.Optional(Type.Integer({
      minimum: 0, maximum: 0xFFFF_FFFF, default: 0, description: '0 = the active one'
    })),
    subtask_id: Type.Optional(Type.String({ maxLength: 64, default: '' })),
    ...answerTo
  }),
  output: Confirmation,
  errors: [DialogueGone, NotAnAnswer],
  run (context, { print_error: error = 0, subtask_id: subtaskId = '', ...dialogue }) {
    checkAnswer(context, dialogue, 'clean_print_error')
    const { session } = context
    const shown = error === 0 ? session.state?.errors.printError ?? 0 : error
    return session.perform('to clear the error', clearError(error, subtaskId), [closeDialogue(shown)])
  }
})

const LONGEST_GCODE = 8_192

export const Gcode = Type.Object({
  gcode: Type.String({ maxLength: LONGEST_GCODE, description: '| or a line end separates commands' })
})

/**
 * Splits G-code at line ends and pipes.
 * @throws PRN_ERR_BAD_INPUT if it is empty
 */
export function linesOf ({ gcode: text }: { gcode: string }): { lines: string[] } {
  const lines = text.split(/[|\r\n]+/).map(line => line.trim()).filter(line => line !== '')
  if (lines.length === 0) throw new BadInput('gcode must hold at least one command')
  return { lines }
}

export const sendGcode = operation({
  name: 'print.sendGcode',
  summary: 'Send raw G-code; heat and fans have their own calls',
  effect: 'destructive',
  consequence: 'Raw commands run on the machine without any safety check.',
  sendsOnly: true,
  input: Type.Object({ lines: Type.Array(Type.String(), { minItems: 1 }) }),
  output: Confirmation,
  guards: [notPrinting],
  async run ({ session, log }, { lines }) {
    log.warn({ printer: session.name, gcode: lines }, 'raw G-code')
    return await session.perform('the G-code', gcode(lines))
  }
})

export const sendRequest = operation({
  name: 'print.sendRequest',
  summary: 'Publish a raw MQTT request; last resort',
  effect: 'destructive',
  consequence: 'Any command is published without checks; a wrong one can harm print or machine.',
  sendsOnly: true,
  input: Type.Object({ request: Type.Object({}) }),
  output: Type.Object({ request: Type.Object({}, { additionalProperties: true }) }),
  async run ({ session, log }, { request }) {
    log.warn({ printer: session.name, request }, 'raw request')
    await session.publish(request as Record<string, unknown>)
    return { request }
  }
})

const LONGEST_REQUEST = 65_536

/**
 * Parses a raw request, given as JSON text or as an object.
 * @param complaint prefix of the error message
 * @throws PRN_ERR_BAD_INPUT
 */
export function requestOf (given: unknown, complaint: string): Record<string, unknown> {
  const value = typeof given === 'string' ? parse(given, complaint) : given
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadInput(`${complaint}: the command must be an object such as {"print":{"command":"…"}}`)
  }
  if (!isNestedWithin(value)) throw new BadInput(`${complaint}: nested more than ${MOST_LEVELS} levels deep`)
  return value as Record<string, unknown>
}

function parse (text: string, complaint: string): unknown {
  if (text.length > LONGEST_REQUEST) throw new BadInput(`${complaint}: longer than ${LONGEST_REQUEST} characters`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadInput(`${complaint}: ${(error as Error).message}`)
  }
}
