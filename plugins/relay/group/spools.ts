import type { PrinterSession } from '../../../core/index.js'

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The trays of four AMS units. */
const MOST = 16
/** Fields of an individual spool rather than of its kind. */
const OF_ONE_SPOOL = ['tag_uid', 'tray_uuid', 'remain', 'cali_idx', 'k', 'n']

const traysIn = ({ raw }: Pick<PrinterSession, 'raw'>): Fields[] => {
  const units = isFields(raw.ams) && Array.isArray(raw.ams.ams) ? raw.ams.ams : []
  return units.flatMap(unit => isFields(unit) && Array.isArray(unit.tray) ? unit.tray : []).filter(isFields)
}

const kindOf = ({ tray_type: type, tray_info_idx: id, tray_color: color }: Fields) => `${String(id)} ${String(type)} ${String(color)}`

/** The distinct kinds of filament loaded in these printers, in a stable order, in the format of reports. */
export function spoolsOf (sessions: readonly Pick<PrinterSession, 'raw'>[]): Fields[] {
  const kinds = new Map<string, Fields>()
  for (const tray of sessions.flatMap(traysIn)) {
    const isKnown = typeof tray.tray_type === 'string' && tray.tray_type !== ''
    if (!isKnown || kinds.has(kindOf(tray))) continue
    kinds.set(kindOf(tray), Object.fromEntries(Object.entries(tray).filter(([name]) => !OF_ONE_SPOOL.includes(name))))
  }
  return [...kinds].sort(([a], [b]) => a < b ? -1 : 1).map(([, tray]) => tray).slice(0, MOST)
}
