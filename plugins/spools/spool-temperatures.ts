import type { Filament } from '../filament/index.js'
import type { TypeRow } from './tables.js'

/** °C. */
export interface SpoolTemperatures {
  readonly nozzleC: readonly [low: number, high: number] | undefined
  readonly bedC: number | undefined
}

/** Those of the spool's type; where it says none, the usual ones of the material. */
export function spoolTemperatures (
  type: Pick<TypeRow, 'nozzle_min' | 'nozzle_max' | 'bed'> | undefined, usual: Filament | undefined
): SpoolTemperatures {
  const { nozzle_min: low = null, nozzle_max: high = null, bed = null } = type ?? {}
  const usualNozzle = usual && [usual.nozzle_temp_min, usual.nozzle_temp_max] as const
  return {
    nozzleC: low === null || high === null ? usualNozzle : [low, high],
    bedC: bed ?? usual?.hot_plate_temp
  }
}
