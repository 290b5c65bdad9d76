import { raiseHms, runoutError, runoutHms } from './errors.js'
import { pauseJob } from './job.js'
import {
  activeExtruder, emptyTray, isHolder, isPresent, RIGHT_HOLDER, sameSlot, setTray, trayOf
} from './slots.js'
import type { Machine, Slot, Tray } from './types.js'
import { homeBit } from './bit-fields.js'

const RUNOUT_STAGE = 6
const NO_UNIT: Slot = { ams: RIGHT_HOLDER, slot: 0 }
const BACKUP_BIT = 10

/** Another slot with the same filament and colour, if the printer may change over by itself. */
function backupOf (m: Machine, slot: Slot, tray: Tray): Slot | undefined {
  if (!homeBit(m, BACKUP_BIT)) return undefined
  const alike = (other: Tray): boolean => other !== tray && isPresent(other) &&
    other.tray_info_idx === tray.tray_info_idx && other.tray_color === tray.tray_color
  for (const unit of m.ams.units.filter(({ extruder }) => extruder === activeExtruder(m).id)) {
    const at = unit.trays.findIndex(alike)
    if (at >= 0) return { ams: unit.id, slot: at }
  }
  return undefined
}

function takeOver (m: Machine, spent: Slot, backup: Slot): void {
  m.job.mapping = m.job.mapping.map(used => sameSlot(used, spent) ? backup : used)
  setTray(m, spent, emptyTray(m, spent.slot))
}

/** The filament in use runs out: an identical spool takes over, or the job pauses. */
export function runOut (m: Machine): void {
  if (m.job.state !== 'RUNNING') return
  m.job.runoutAtPct = Infinity
  const slot = activeExtruder(m).loaded ?? NO_UNIT
  const tray = isHolder(slot) ? undefined : trayOf(m, slot)
  const backup = tray === undefined ? undefined : backupOf(m, slot, tray)
  if (backup !== undefined) return takeOver(m, slot, backup)
  pauseJob(m, RUNOUT_STAGE)
  m.printError = runoutError(slot)
  raiseHms(m, runoutHms(m, slot))
  if (tray === undefined) return
  m.job.spent = { slot, tray }
  setTray(m, slot, emptyTray(m, slot.slot))
}
