import { isNestedWithin, type Command, type ModelInfo } from '../../core/index.js'
import { READING, WRITING } from './commands.data.js'

/** One section of a client's request. */
export interface Asked {
  /** Such as `print.pause`. */
  readonly name: string
  readonly command: Command
  /** As the client wrote it, to give it back. */
  readonly sequenceId: unknown
}

/** What a request comes to: answered from here, passed on, done as an operation, or refused. */
export type Verdict =
  | { readonly kind: 'status' | 'version' | 'nothing' | 'read' }
  | { readonly kind: 'write', readonly operation: string }
  | { readonly kind: 'refused', readonly reason: string }

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request has one section; some programs add another. */
const MOST_SECTIONS = 4
const SPACE = 0x20

/** Requests end with NUL or white space at times. */
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

const asked = (section: string, { sequence_id: sequenceId, ...fields }: Fields): Asked => ({
  name: `${section}.${typeof fields.command === 'string' ? fields.command : ''}`,
  command: { ...fields, section }, // last: no field of the request may name another section
  sequenceId
})

/** The sections of a request; none for what is no JSON object, or nested beyond sense. */
export function readRequest (payload: Buffer): Asked[] {
  const message = parsed(payload)
  if (!isFields(message) || !isNestedWithin(message)) return []
  return Object.entries(message).slice(0, MOST_SECTIONS)
    .flatMap(([section, body]) => isFields(body) ? [asked(section, body)] : [])
}

const OWN_ANSWERS: Readonly<Record<string, Verdict>> = Object.assign(Object.create(null), {
  'pushing.pushall': { kind: 'status' },
  'pushing.start': { kind: 'status' },
  'pushing.stop': { kind: 'nothing' }, // the others still want reports
  'info.get_version': { kind: 'version' }
})

const refused = (reason: string): Verdict => ({ kind: 'refused', reason })

/** Only heat and fans: sent while printing too, as slicers do. */
const HEAT = /^M(104|140|141|106|107)(?!\d)/i
const FAN = /^M10[67](?!\d)/i
/** Wherever it stands in a line, with or without spaces; each of its targets counts, whichever the printer takes. */
const HEATING = /M\s*0*(104|109|140|190|141|191)(?!\d)([^GM]*)/gi
const TARGET = /[SR]\s*([-+\d.eE]+)/gi

const linesOf = ({ param }: Command): string[] =>
  typeof param !== 'string'
    ? []
    : param.split(/[\r\n|]+/).map(line => line.replace(/;.*/, '').trim()).filter(line => line !== '')

const operationOf = (name: string, command: Command): string | undefined => {
  if (name !== 'print.gcode_line') return WRITING[name]
  const lines = linesOf(command)
  if (lines.length === 0) return undefined
  if (!lines.every(line => HEAT.test(line))) return WRITING[name]
  return lines.every(line => FAN.test(line)) ? 'climate.setFan' : 'climate.setNozzleTarget'
}

/** What a request wants heated, °C, with the most that the model stands. */
function heats ({ name, command }: Asked, { nozzleMaxC, bedMaxC, chamberMaxC }: ModelInfo):
[wantedC: number, mostC: number][] {
  if (name === 'print.set_bed_temp') return [[Number(command.temp), bedMaxC]]
  if (name === 'print.set_nozzle_temp') return [[Number(command.target_temp), nozzleMaxC]]
  if (name === 'print.set_ctt') return [[Number(command.ctt_val), chamberMaxC]]
  if (name !== 'print.gcode_line') return []
  return linesOf(command).flatMap(line => [...line.matchAll(HEATING)]).flatMap(([, word = '', rest = '']) => {
    const most = word.endsWith('1') ? chamberMaxC : word.startsWith('10') ? nozzleMaxC : bedMaxC
    return [...rest.matchAll(TARGET)].map(([, wanted]): [number, number] => [Number(wanted), most])
  })
}

/** Decides on a request by what its client may do, not by what the printer does now. */
export function judge (request: Asked, access: 'read' | 'full', model: ModelInfo): Verdict {
  const { name, command } = request
  if (READING.has(name)) return OWN_ANSWERS[name] ?? { kind: 'read' }
  const operation = operationOf(name, command)
  if (operation === undefined) return refused('the relay does not pass this command on')
  if (access === 'read') return refused('this access code is for reading only')
  const wrong = heats(request, model).find(([wanted, most]) => !(wanted <= most))
  if (wrong !== undefined) return refused(`${wrong[0]} °C is more than this model's ${wrong[1]} °C`)
  return { kind: 'write', operation }
}
