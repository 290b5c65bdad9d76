import type { Detector, PrinterSession, Sensitivity } from '../../core/index.js'
import type { DetectorName } from './schemas.js'

/** Firmware may repeat the old setting for this long after it took a new one. */
const HOLD_MS = 3_000

type Setting = { readonly enabled: boolean, readonly sensitivity?: Sensitivity }
export type HeldName = DetectorName | 'buildplate_marker'

/** What was just set, shown until the printer has had time to report it. */
export function createHeld (now: () => number) {
  const held = new WeakMap<PrinterSession, Map<HeldName, Setting & { until: number }>>()
  return {
    set (session: PrinterSession, name: HeldName, setting: Setting): void {
      const settings = held.get(session) ?? new Map()
      held.set(session, settings.set(name, { ...setting, until: now() + HOLD_MS }))
    },
    over (session: PrinterSession, name: HeldName, reported: Detector): Detector {
      const setting = held.get(session)?.get(name)
      if (setting === undefined || setting.until < now()) return reported
      return { ...reported, enabled: setting.enabled, sensitivity: setting.sensitivity ?? reported.sensitivity }
    }
  }
}
export type Held = ReturnType<typeof createHeld>
