import { patchTray, trayOf } from './slots.js'
import type { Machine, Slot } from './types.js'

const SCAN_MS = 8000
/** Tray states while its tag is read, and with known data. */
const READING = 17
const KNOWN = 11

/** Starts to read a tag; the slot must hold a spool. */
export function startScan (m: Machine, slot: Slot): void {
  m.ams.scan = { slot, leftMs: SCAN_MS }
  if (m.traits.modern) patchTray(m, slot, { state: READING })
}

export function stepScan (m: Machine, ms: number): void {
  const scan = m.ams.scan
  if (scan === undefined) return
  scan.leftMs -= ms
  if (scan.leftMs > 0) return
  m.ams.scan = undefined
  m.ams.version++
  if (trayOf(m, scan.slot)?.state === READING) patchTray(m, scan.slot, { state: KNOWN })
}
