import { heatLimitsOf, isNestedWithin, type Command, type ModelInfo } from '../../core/index.js'
import { READING, WRITING } from './commands.data.js'
import { isFan, readGcode, setsTarget, type GcodeLine } from './gcode.js'
import { heatsOfFields, heatsOfGcode, isDryingTime } from './heat.js'

/** One section of a client's request. */
export interface ClientRequest {
  /** Such as `print.pause`. */
  readonly name: string
  readonly command: Command
  /** The client's own, for the reply. */
  readonly sequenceId: unknown
}

/** How a request is handled: answered by the relay, passed on, run as an operation, or refused. */
export type Verdict =
  | { readonly kind: 'status' | 'version' | 'nothing' | 'read' }
  | { readonly kind: 'write', readonly operation: string }
  | { readonly kind: 'refused', readonly reason: string }

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request has one section; some programs add another one. */
const MOST_SECTIONS = 4
const SPACE = 0x20

/** Some requests end with NUL or white space. */
function trimmed (payload: Buffer): string {
  let end = payload.length
  while (end > 0 && (payload[end - 1] ?? 0) <= SPACE) end--
  return payload.toString('utf8', 0, end)
}

function parsed (payload: Buffer): unknown {
  try {
    return JSON.parse(trimmed(payload))
  } catch {
    return undefined
  }
}

const requestOf = (section: string, { sequence_id: sequenceId, ...fields }: Fields): ClientRequest => ({
  name: `${section}.${typeof fields.command === 'string' ? fields.command : ''}`,
  command: { ...fields, section }, // last, so that no field of the request can replace it
  sequenceId
})

/** The sections of a request; none if it is not a JSON object or is nested too deeply. */
export function readRequest (payload: Buffer): ClientRequest[] {
  const message = parsed(payload)
  if (!isFields(message) || !isNestedWithin(message)) return []
  return Object.entries(message).slice(0, MOST_SECTIONS)
    .flatMap(([section, body]) => isFields(body) ? [requestOf(section, body)] : [])
}

const OWN_ANSWERS: Readonly<Record<string, Verdict>> = Object.assign(Object.create(null), {
  'pushing.pushall': { kind: 'status' },
  'pushing.start': { kind: 'status' },
  'pushing.stop': { kind: 'nothing' }, // other clients still need reports
  'info.get_version': { kind: 'version' }
})

const refused = (reason: string): Verdict => ({ kind: 'refused', reason })

/** Targets and fans are also allowed while printing, when slicers send them. */
function operationOfGcode (lines: readonly GcodeLine[]): string | undefined {
  if (lines.length === 0) return undefined
  if (lines.every(isFan)) return 'climate.setFan'
  return lines.every(line => isFan(line) || setsTarget(line)) ? 'climate.setNozzleTarget' : WRITING['print.gcode_line']
}

/** The operation of a request, and the temperatures it sets. */
function analyse ({ name, command }: ClientRequest, model: ModelInfo) {
  const limits = heatLimitsOf(model)
  if (name !== 'print.gcode_line') return { operation: WRITING[name], heats: heatsOfFields(name, command, limits) }
  const { lines, unknown } = readGcode(typeof command.param === 'string' ? command.param : '')
  return { operation: operationOfGcode(lines), heats: heatsOfGcode(lines, limits), unknown }
}

const MOST_SHOWN = 40
const NOT_PASSED = 'the relay does not forward this command'

/** Decides on a request by the client's rights, regardless of what the printer is doing. */
export function judge (request: ClientRequest, access: 'read' | 'full', model: ModelInfo): Verdict {
  const { name } = request
  if (READING.has(name)) return OWN_ANSWERS[name] ?? { kind: 'read' }
  const { operation, heats, unknown } = analyse(request, model)
  if (unknown !== undefined) {
    return refused(`${NOT_PASSED}: it is not known what '${unknown.slice(0, MOST_SHOWN)}' heats`)
  }
  if (operation === undefined) return refused(NOT_PASSED)
  if (access === 'read') return refused('this access code is for reading only')
  const wrong = heats.find(([target, most]) => !(target <= most))
  if (wrong !== undefined && Number.isNaN(wrong[0])) return refused('a temperature in it is not a number')
  if (wrong !== undefined) return refused(`${wrong[0]} °C is more than this model's ${wrong[1]} °C`)
  if (!isDryingTime(name, request.command)) return refused('a drying time is a number of hours up to 999')
  return { kind: 'write', operation }
}
