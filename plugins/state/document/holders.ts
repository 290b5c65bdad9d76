import type { PrinterSession, Spool } from '../../../core/index.js'

export const ONLY_OR_LEFT = 254
const RIGHT = 255

/** Placeholder for a holder that the printer does not report. */
const placeholder = (id: number): Spool => ({
  id,
  amsId: -1,
  slot: -1,
  present: false,
  name: '',
  type: '',
  subBrand: '',
  rgba: '00000000',
  colors: [],
  filamentId: '',
  k: 0,
  bedC: 0,
  nozzleMinC: 0,
  nozzleMaxC: 0,
  dryingC: 0,
  dryingHours: 0,
  remainingPercent: 0,
  state: 0,
  lengthMm: 0,
  weightG: 0,
  tagUid: '',
  trayUuid: '',
  caliIdx: -1
})

/** Every external holder the printer has; none before its first report. */
export function holdersOf ({ state }: PrinterSession): readonly Spool[] {
  if (state === undefined) return []
  const ids = state.capabilities.hasDualExtruder ? [ONLY_OR_LEFT, RIGHT] : [ONLY_OR_LEFT]
  return ids.map(id => state.spools.find(spool => spool.id === id) ?? placeholder(id))
}
