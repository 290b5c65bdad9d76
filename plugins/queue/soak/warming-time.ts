import type { ModelInfo, PrinterState } from '../../../core/index.js'
import type { HeatRecord, Soak } from '../types.js'
import { LONGEST_MINUTES } from './limits.js'

/** Rough estimates for a forecast, in s for each °C: what it really takes depends on the room. */
const BED_S = 5
const HEATED_CHAMBER_S = 20
/** A chamber that only the bed warms. */
const CHAMBER_S = 60

const ROOM_C = 25
const LONGEST_S = LONGEST_MINUTES * 60

type Wanted = Pick<Soak, 'bedC' | 'chamberC'>

/** Bed and chamber get warm at the same time. */
function heatUpS ({ bedC, chamberC }: Wanted, { chamberHeater }: ModelInfo, from: Wanted): number {
  const bedS = Math.max(0, bedC - from.bedC) * BED_S
  const chamberS = Math.max(0, chamberC - from.chamberC) * (chamberHeater === null ? CHAMBER_S : HEATED_CHAMBER_S)
  return Math.max(bedS, chamberS)
}

/** How long warming a printer before a print is expected to take, s: from the temperature of a room, to be careful. */
export const warmingS = (soak: Soak | undefined, model: ModelInfo): number => soak === undefined
  ? 0
  : Math.min(LONGEST_S, heatUpS(soak, model, { bedC: ROOM_C, chamberC: ROOM_C }) + soak.minutes * 60)

/** How much of a warming that goes on is left, s. */
export function warmingLeftS (
  heat: HeatRecord, model: ModelInfo, state: Pick<PrinterState, 'heat'> | undefined, now: number
): number {
  const { warmAt, heatedAt, minutes } = heat
  if (warmAt !== undefined) return Math.max(0, minutes * 60 - (now - warmAt) / 1_000)
  const { bed, chamber } = state?.heat ?? {}
  const from = { bedC: bed?.actual ?? ROOM_C, chamberC: chamber?.sensor === true ? chamber.actual : ROOM_C }
  return Math.max(0, Math.min(LONGEST_S - (now - heatedAt) / 1_000, heatUpS(heat, model, from) + minutes * 60))
}
