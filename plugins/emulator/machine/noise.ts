import { ROOM_C } from './heat.js'
import type { Heater, Machine } from './types.js'

/** Interval at which settled sensors still fluctuate. */
const EVERY_MS = 5000
const SWING_C = 0.15
const SIGNAL_DBM = { weakest: -70, strongest: -40 }

/** A small generator (mulberry32), seeded with the serial, so that runs are reproducible. */
export function createRandom (seed: string): () => number {
  let state = [...seed].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261)
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const sway = (heater: Heater, random: () => number): void => {
  const rest = Math.max(heater.target, ROOM_C)
  if (Math.abs(heater.actual - rest) <= 2 * SWING_C) heater.actual = rest + (random() * 2 - 1) * SWING_C
}

const nextSignal = (now: number, random: () => number): number => {
  const step = Math.floor(random() * 3) - 1
  return Math.min(SIGNAL_DBM.strongest, Math.max(SIGNAL_DBM.weakest, now + step))
}

/** Wi-Fi and resting temperatures. */
export function stepNoise (m: Machine, ms: number): void {
  m.noiseMs += ms
  if (m.noiseMs < EVERY_MS) return
  m.noiseMs %= EVERY_MS
  const signal = Number.parseInt(String(m.fields.wifi_signal), 10)
  if (!Number.isNaN(signal)) m.fields = { ...m.fields, wifi_signal: `${nextSignal(signal, m.random)}dBm` }
  for (const { heater } of m.extruders) sway(heater, m.random)
  sway(m.bed, m.random)
}
