import { amsStatus, stepChange } from './filament-change.js'
import { stepDryers } from './dryer.js'
import { isHeating, stepHeat } from './heat.js'
import { isBusy } from './job.js'
import { stepNoise } from './noise.js'
import { stepJob } from './job-step.js'
import { stepScan } from './scan.js'
import { stepTools } from './tools.js'
import { DRY, type Machine } from './types.js'

/** Time is split into pieces no longer than this, so that a fast clock passes through every state. */
const PIECE_MS = 1000

function stepOnce (m: Machine, ms: number): void {
  stepTools(m, ms)
  stepChange(m, ms)
  stepScan(m, ms)
  stepDryers(m, ms)
  stepJob(m, ms)
  stepHeat(m, ms)
  stepNoise(m, ms)
}

/** Changes of this value are reported at once rather than with the next periodic report. */
const pulse = (m: Machine): string => {
  const dryers = m.ams.units.map(({ dryer }) => dryer.state).join('')
  const { job, tool } = m
  return `${job.state} ${job.stage} ${m.printError} ${tool.current} ${tool.target} ${amsStatus(m)} ${dryers}`
}

/** Advances the machine; `turned` is called after every piece in which the printer entered another state. */
export function stepMachine (m: Machine, ms: number, turned: () => void): void {
  const pieces = Math.max(1, Math.round(ms / PIECE_MS))
  let before = pulse(m)
  for (let piece = 0; piece < pieces; piece++) {
    stepOnce(m, ms / pieces)
    const now = pulse(m)
    if (now !== before) turned()
    before = now
  }
}

/** Whether the machine is busy with something that should be reported every second. */
export const isActive = (m: Machine): boolean =>
  isBusy(m) || m.ams.change !== undefined || m.ams.scan !== undefined || m.tool.current !== m.tool.target ||
  isHeating(m) || m.ams.units.some(({ dryer }) => dryer.state !== DRY.OFF)
