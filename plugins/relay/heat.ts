import type { Command, ModelInfo } from '../../core/index.js'
import { isHeat, type GcodeLine } from './gcode.js'

type Limits = Pick<ModelInfo, 'nozzleMaxC' | 'bedMaxC' | 'chamberMaxC'>
/** A temperature that a request wants, °C, with the most that the model stands; NaN for what is no number. */
type Heat = readonly [wantedC: number, mostC: number]

const AMS_HT = 128
/** What an AMS 2 Pro and an AMS HT reach when they dry. */
const DRYING_MAX_C = { pro: 65, ht: 85 } as const

/** Letters of heating commands that carry a temperature: B and F bound the one that the printer chooses. */
const TARGETS = ['S', 'R', 'B', 'F']

export function heatsOfGcode (lines: readonly GcodeLine[], { nozzleMaxC, bedMaxC, chamberMaxC }: Limits): Heat[] {
  return lines.filter(isHeat).flatMap(({ word, values }) => {
    const most = word.endsWith('1') ? chamberMaxC : word.startsWith('M10') ? nozzleMaxC : bedMaxC
    return [...values].filter(([letter]) => TARGETS.includes(letter))
      .map(([letter, wanted]): Heat => [wanted ?? (letter === 'F' || letter === 'B' ? 0 : NaN), most])
  })
}

/** Without these a command would heat to whatever the printer makes of nothing. */
const REQUIRED: Readonly<Record<string, string>> =
  { 'print.set_bed_temp': 'temp', 'print.set_nozzle_temp': 'target_temp', 'print.set_ctt': 'ctt_val' }

const IS_HEAT = /temp|ctt/i

/** Printers take numbers as text too; what only JavaScript takes for a number is none. */
function numberOf (value: unknown): number {
  if (typeof value === 'number') return value
  if (value === '') return 0
  return typeof value === 'string' && /^\s*[-+]?\d{1,5}(\.\d{1,6})?\s*$/.test(value) ? Number(value) : NaN
}

function mostFor (name: string, key: string, { ams_id: unit }: Command, limits: Limits): number {
  if (name === 'print.ams_filament_drying') return Number(unit) >= AMS_HT ? DRYING_MAX_C.ht : DRYING_MAX_C.pro
  if (/ctt|chamber/i.test(key)) return limits.chamberMaxC
  return /bed/i.test(key) || name === 'print.set_bed_temp' ? limits.bedMaxC : limits.nozzleMaxC
}

/** Every field of a request that names a temperature, wherever it stands. */
export function heatsOfFields (name: string, command: Command, limits: Limits): Heat[] {
  const found: Heat[] = []
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [inner, item] of Object.entries(value)) walk(item, Array.isArray(value) ? key : inner)
    } else if (IS_HEAT.test(key)) found.push([numberOf(value), mostFor(name, key, command, limits)])
  }
  walk(command, '')
  const required = REQUIRED[name]
  if (required !== undefined && typeof command[required] !== 'number' && typeof command[required] !== 'string') {
    found.push([NaN, mostFor(name, required, command, limits)])
  }
  return found
}
