import type { Machine } from './types.js'

const SWITCH_MS = 4000
const READ_MS = 3000

/** Starts to activate another tool; without effect if it is active already or the only one. */
export function startSwitch (m: Machine, to: number): void {
  if (m.traits.extruders === 1 || m.tool.target === to) return
  m.tool.target = to
  m.tool.leftMs = SWITCH_MS
}

export const isSwitching = ({ tool }: Machine): boolean => tool.current !== tool.target

export const readNozzles = (m: Machine): void => { m.nozzleReadMs = READ_MS }

export function stepTools (m: Machine, ms: number): void {
  m.nozzleReadMs = Math.max(0, m.nozzleReadMs - ms)
  if (!isSwitching(m)) return
  m.tool.leftMs -= ms
  if (m.tool.leftMs <= 0) m.tool.current = m.tool.target
}
