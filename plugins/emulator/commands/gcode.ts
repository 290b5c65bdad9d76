import type { Json } from '../json-merge.js'
import { startScan } from '../machine/scan.js'
import { slotOf } from '../machine/slots.js'
import type { Machine } from '../machine/types.js'
import { AXES, homeAxes, moveBy, releaseAxes, restoreMode, saveMode, setLimits } from '../machine/motion.js'
import { setAirduct, setBed, setChamber, setFan, setNozzle } from './climate.js'
import { canScan } from './filament.js'
import type { Body, Reply } from './reply.js'

/** Letters of one line with their numbers. */
type Words = Readonly<Partial<Record<string, number>>>

/** @param rest of the line, as it is, in upper case */
type Action = (m: Machine, words: Words, rest: string) => void

const HEAT_MODE = 1

const nozzle: Action = (m, { S, T }) => { if (S !== undefined) setNozzle(m, S, T ?? m.tool.current) }
const bed: Action = (m, { S }) => { if (S !== undefined) setBed(m, S) }
const chamber: Action = (m, { S }) => {
  if (S !== undefined && ['set_ctt', 'M141'].includes(m.traits.chamber)) setChamber(m, S)
}
const fan: Action = (m, { P, S }) => { setFan(m, P ?? 1, (S ?? 255) * 100 / 255) }

const home: Action = (m, words) => {
  const named = AXES.filter(axis => axis in words)
  homeAxes(m, named.length === 0 ? AXES : named)
}

const relative = (on: boolean): Action => ({ motion }) => { motion.isRelative = on }
const relativeFeed = (on: boolean): Action => ({ motion }) => { motion.isFeedRelative = on }

/** One command for many things of this firmware; of them the modes of moves. */
const extra: Action = (m, _, rest) => {
  if (rest === 'PUSH_REF_MODE') saveMode(m)
  else if (rest === 'POP_REF_MODE') restoreMode(m)
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
  G0: moveBy,
  G1: moveBy,
  G28: home,
  G90: relative(false),
  G91: relative(true),
  M17: () => {},
  M18: releaseAxes,
  M82: relativeFeed(false),
  M83: relativeFeed(true),
  M84: releaseAxes,
  M104: nozzle,
  M109: nozzle,
  M140: bed,
  M190: bed,
  M141: chamber,
  M191: chamber,
  M145: (m, { P }) => { setAirduct(m, P === 1 ? HEAT_MODE : 0) },
  M106: fan,
  M107: (m, { P }) => { setFan(m, P ?? 1, 0) },
  M211: setLimits,
  M620: readTag,
  M981: timelapse,
  M1002: extra
}

const WORD = /([A-Z])(-?\d+(?:\.\d+)?)?/g

/** Runs one line. */
function run (m: Machine, line: string): void {
  const code = line.replace(/;.*/, '').trim().toUpperCase()
  const [name = '', ...rest] = code.split(/\s+/)
  const words: Record<string, number> = {}
  for (const [, letter = '', value] of rest.join(' ').matchAll(WORD)) words[letter] = Number(value ?? 0)
  ACTIONS[name]?.(m, words, rest.join(' '))
}

/** `print.gcode_line`: the small printers answer in lower case, the others in upper case. */
export function gcodeLine (m: Machine, { param }: Body): Reply {
  const word = (text: string): string => m.traits.modern ? text.toUpperCase() : text
  const outcome = word(typeof param === 'string' ? 'success' : 'fail')
  for (const line of typeof param === 'string' ? param.split(/\r?\n/) : []) run(m, line)
  return { result: outcome, reason: outcome, err_code: 0, is_from_mqtt: true }
}
