import type { Command, ModelInfo } from '../../core/index.js'
import { isHeat, type GcodeLine } from './gcode.js'

type Limits = Pick<ModelInfo, 'nozzleMaxC' | 'bedMaxC' | 'chamberMaxC'>
/** A requested temperature, °C, and the limit of the model; NaN if it is not a number. */
type Heat = readonly [targetC: number, mostC: number]

const AMS_HT = 128
/** Maximum drying temperatures of an AMS 2 Pro and an AMS HT. */
const DRYING_MAX_C = { pro: 65, ht: 85 } as const

/** Letters that carry a temperature: B and F bound the one that the printer chooses. */
const TARGETS = ['S', 'R', 'B', 'F']

export function heatsOfGcode (lines: readonly GcodeLine[], { nozzleMaxC, bedMaxC, chamberMaxC }: Limits): Heat[] {
  return lines.filter(isHeat).flatMap(({ word, values }) => {
    const most = word.endsWith('1') ? chamberMaxC : word.startsWith('M10') ? nozzleMaxC : bedMaxC
    return [...values].filter(([letter]) => TARGETS.includes(letter))
      .map(([letter, wanted]): Heat => [wanted ?? (letter === 'F' || letter === 'B' ? 0 : NaN), most])
  })
}

/** Required fields: without them it is up to the printer how far a command heats. */
const REQUIRED: Readonly<Record<string, string>> =
  { 'print.set_bed_temp': 'temp', 'print.set_nozzle_temp': 'target_temp', 'print.set_ctt': 'ctt_val' }

const IS_HEAT = /temp|ctt/i

/** Printers accept numbers as text; forms that only JavaScript parses as numbers are rejected, as is 1e999. */
function numberOf (value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : NaN
  if (value === '') return 0
  return typeof value === 'string' && /^\s*[-+]?\d{1,5}(\.\d{1,6})?\s*$/.test(value) ? Number(value) : NaN
}

function mostFor (name: string, key: string, { ams_id: unit }: Command, limits: Limits): number {
  if (name === 'print.ams_filament_drying') return Number(unit) >= AMS_HT ? DRYING_MAX_C.ht : DRYING_MAX_C.pro
  if (/ctt|chamber/i.test(key)) return limits.chamberMaxC
  return /bed/i.test(key) || name === 'print.set_bed_temp' ? limits.bedMaxC : limits.nozzleMaxC
}

/** As the operation for drying has it, h. */
const LONGEST_DRYING = 999

/** Whether a request that starts or stops drying has a time that the operation would accept; true for all others. */
export function isDryingTime (name: string, { duration }: Command): boolean {
  if (name !== 'print.ams_filament_drying' || duration === undefined) return true
  const hours = numberOf(duration)
  return hours >= 0 && hours <= LONGEST_DRYING
}

/** All temperature fields of a request, at any depth. */
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
