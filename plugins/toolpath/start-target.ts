import { placeOfTray, type PrinterSession } from '../../core/index.js'
import { traysOf, type Tray, type Weigh } from '../projects/index.js'
import type { SpoolLeft, Target } from './findings/types.js'

/** What a print would be started with, as far as it is known. */
export interface StartSource {
  /** Tray by filament id - 1, -1 for none; absent if nothing comes from an AMS. */
  readonly mapping?: readonly number[] | undefined
  readonly plateType?: string | undefined
}

/** What a plate is judged against before anything is known of how it will be started. */
export function targetOf ({ model, state }: PrinterSession): Target {
  const diameters = [...state?.extruders ?? []].map(({ nozzle }) => nozzle.diameterMm)
  const fitted = diameters.length > 0 ? diameters : [state?.device.nozzleDiameterMm ?? 0]
  return { model, nozzles: fitted.filter(diameter => diameter > 0) }
}

/** What other plugins know of a printer. */
export interface TargetSources {
  readonly weigh: Weigh
  /** Whether a person accepted the start code of the built-in profiles for the printer. */
  readonly acceptsStartCode: (session: PrinterSession) => boolean
}

/** The printer as it is now, and the spools that the print would take. */
export function startTarget (
  session: PrinterSession, { weigh, acceptsStartCode }: TargetSources, { mapping, plateType }: StartSource
): Target {
  return {
    ...targetOf(session),
    acceptsOwnStartCode: acceptsStartCode(session),
    ...(mapping && { mapping, spools: spoolsOf(session, weigh, mapping) }),
    ...(plateType !== undefined && { bedType: plateType })
  }
}

function spoolsOf (session: PrinterSession, weigh: Weigh, mapping: readonly number[]): readonly SpoolLeft[] {
  const { state, model } = session
  if (!state) return []
  const trays = traysOf(state, model.extruders > 1)
  const grams = (tray: Tray): number | undefined => weigh(session, tray) ?? tray.remainingG
  const used = new Set(mapping)
  return [...used].flatMap(id => {
    const tray = placeOfTray(id) === undefined ? undefined : trays.find(({ trayId }) => trayId === id)
    const left = tray && grams(tray)
    if (tray === undefined || left === undefined) return []
    const backups = state.options.autoSwitchFilament
      ? trays.filter(other => !used.has(other.trayId) && isBackup(other, tray))
      : []
    return [{
      place: tray.name,
      tools: [...mapping.keys()].filter(tool => mapping[tool] === id),
      grams: left,
      backupGrams: backups.reduce((sum, other) => sum + (grams(other) ?? 0), 0)
    }]
  })
}

/** Printers change over to a spool of the same filament and colour, on the same side. */
const isBackup = (other: Tray, tray: Tray): boolean => other.present && !other.isHolder && !tray.isHolder &&
  other.catalogueId === tray.catalogueId && other.type === tray.type && other.color === tray.color &&
  other.extruder === tray.extruder
