import type { Json } from '../json-merge.js'
import { startScan } from '../machine/scan.js'
import { slotOf } from '../machine/slots.js'
import type { Machine } from '../machine/types.js'
import { setHomeBit } from '../machine/bit-fields.js'
import { setAirduct, setBed, setChamber, setFan, setNozzle } from './climate.js'
import { canScan } from './filament.js'
import type { Body, Reply } from './reply.js'

/** Letters of one line with their numbers. */
type Words = Readonly<Partial<Record<string, number>>>

type Action = (m: Machine, words: Words) => void

const AXES = [0, 1, 2] as const
const HEAT_MODE = 1

const setHomed = (on: boolean): Action => m => { for (const axis of AXES) setHomeBit(m, axis, on) }

const nozzle: Action = (m, { S, T }) => { if (S !== undefined) setNozzle(m, S, T ?? m.tool.current) }
const bed: Action = (m, { S }) => { if (S !== undefined) setBed(m, S) }
const chamber: Action = (m, { S }) => {
  if (S !== undefined && ['set_ctt', 'M141'].includes(m.traits.chamber)) setChamber(m, S)
}
const fan: Action = (m, { P, S }) => { setFan(m, P ?? 1, (S ?? 255) * 100 / 255) }

const home: Action = (m, words) => {
  const named = ['X', 'Y', 'Z'].map(letter => letter in words)
  for (const axis of AXES) if (!named.includes(true) || named[axis] === true) setHomeBit(m, axis, true)
}

/** How tags were read before there was a command for it. */
const readTag: Action = (m, { R }) => {
  if (R !== undefined && canScan(m, slotOf(R))) startScan(m, slotOf(R))
}

const timelapse: Action = (m, { S }) => {
  const state = S === 1 ? 'enable' : 'disable'
  m.fields = { ...m.fields, ipcam: { ...m.fields.ipcam as Json, timelapse: state } }
}

const ACTIONS: Readonly<Record<string, Action>> = {
  G28: home,
  M17: () => {},
  M18: setHomed(false),
  M84: setHomed(false),
  M104: nozzle,
  M109: nozzle,
  M140: bed,
  M190: bed,
  M141: chamber,
  M191: chamber,
  M145: (m, { P }) => { setAirduct(m, P === 1 ? HEAT_MODE : 0) },
  M106: fan,
  M107: (m, { P }) => { setFan(m, P ?? 1, 0) },
  M620: readTag,
  M981: timelapse
}

const WORD = /([A-Z])(-?\d+(?:\.\d+)?)?/g

/** Runs one line; moves and modes have no effect without a job. */
function run (m: Machine, line: string): void {
  const code = line.replace(/;.*/, '').trim().toUpperCase()
  const [name = '', ...rest] = code.split(/\s+/)
  const words: Record<string, number> = {}
  for (const [, letter = '', value] of rest.join(' ').matchAll(WORD)) words[letter] = Number(value ?? 0)
  ACTIONS[name]?.(m, words)
}

/** `print.gcode_line`: the small printers answer in lower case, the others in upper case. */
export function gcodeLine (m: Machine, { param }: Body): Reply {
  const word = (text: string): string => m.traits.modern ? text.toUpperCase() : text
  const outcome = word(typeof param === 'string' ? 'success' : 'fail')
  for (const line of typeof param === 'string' ? param.split(/\r?\n/) : []) run(m, line)
  return { result: outcome, reason: outcome, err_code: 0, is_from_mqtt: true }
}
