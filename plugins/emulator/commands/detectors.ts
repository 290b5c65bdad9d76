import { isJson, type Json } from '../json-merge.js'
import type { Machine } from '../machine/types.js'
import { setField } from '../machine/bit-fields.js'
import { refused, type Body, type Handlers, type Reply } from './reply.js'

interface Detector {
  /** First bit of its three in `xcam.cfg`: on or off, then two for the sensitivity. */
  readonly bit?: number
  /** Switch without sensitivity. */
  readonly single?: boolean
}

const DETECTORS: Readonly<Record<string, Detector>> = {
  spaghetti_detector: { bit: 7 },
  pileup_detector: { bit: 10 },
  clump_detector: { bit: 13 },
  airprint_detector: { bit: 16 },
  plate_offset_switch: { bit: 20, single: true },
  fod_check: { bit: 21, single: true },
  model_movement_check: { bit: 22, single: true },
  buildplate_marker_detector: {},
  first_layer_inspector: {},
  printing_monitor: {}
}

const SENSITIVITY: Readonly<Record<string, number>> = { low: 0, medium: 1, high: 2 }
const MONITOR_BIT = 15
const MONITOR_SENSITIVITY_BIT = 13
const FIRST_LAYER_BIT = 12
const SPAGHETTI_BIT = 42

const withBits = (word: number, bit: number, width: number, value: number): number => {
  const mask = (2 ** width - 1) << bit
  return (word & ~mask) | (value << bit)
}

function nextWord (word: number, detector: Detector, on: boolean, level: number | undefined): number {
  const { bit = 0, single } = detector
  const switched = withBits(word, bit, 1, on ? 1 : 0)
  return single === true || level === undefined ? switched : withBits(switched, bit + 1, 2, level)
}

/** Capability bits 42 to 45 stand for the four detectors in the order of their fields. */
function hasDetector (m: Machine, xcam: Json, name: string, { bit, single }: Detector): boolean {
  if (name in xcam) return true
  if (bit === undefined || typeof xcam.cfg !== 'number') return false
  return single === true || ((m.words.fun >> BigInt(SPAGHETTI_BIT + (bit - 7) / 3)) & 1n) === 1n
}

function showMonitor (m: Machine, name: string, on: boolean, level: number | undefined): void {
  if (name === 'first_layer_inspector') setField(m, 'cfg', FIRST_LAYER_BIT, 1, on ? 1 : 0)
  if (name !== 'printing_monitor') return
  setField(m, 'cfg', MONITOR_BIT, 1, on ? 1 : 0)
  setField(m, 'cfg', MONITOR_SENSITIVITY_BIT, 2, level === undefined ? 0 : level + 1)
}

function xcamControl (m: Machine, body: Body): Reply {
  const word = (text: string): string => m.traits.modern ? text.toUpperCase() : text
  const name = String(body.module_name)
  const detector = Object.hasOwn(DETECTORS, name) ? DETECTORS[name] : undefined
  const xcam = isJson(m.fields.xcam) ? m.fields.xcam : {}
  const fitted = detector !== undefined && hasDetector(m, xcam, name, detector)
  if (!fitted) return refused({ result: word('fail') })
  const on = (body.control ?? body.enable) === true
  const level = SENSITIVITY[String(body.halt_print_sensitivity)]
  const cfg = typeof xcam.cfg === 'number' && detector.bit !== undefined
    ? { cfg: nextWord(xcam.cfg, detector, on, level) }
    : {}
  const shown = name in xcam ? { [name]: on } : {}
  const legacy = level !== undefined && 'halt_print_sensitivity' in xcam && typeof xcam.cfg !== 'number'
    ? { halt_print_sensitivity: body.halt_print_sensitivity }
    : {}
  m.fields = { ...m.fields, xcam: { ...xcam, ...shown, ...legacy, ...cfg } }
  showMonitor(m, name, on, level)
  return { result: word('success') }
}

export const detectors: Handlers = { xcam_control_set: xcamControl }
