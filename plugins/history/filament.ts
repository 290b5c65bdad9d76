import { isHolder, type PrinterState, type Spool, type TrayPlace } from '../../core/index.js'
import type { FilamentUse, Print } from './types.js'

/** A filament as the slicer tells of it. */
export interface PlannedFilament {
  readonly id: number
  readonly type: string
  readonly color: string
  readonly grams?: number
}

const NO_TAG = /^0*$/

const placeOf = ({ amsId, slot }: TrayPlace): string => isHolder(amsId) ? 'external' : `ams ${amsId} slot ${slot}`

const isAt = ({ amsId, slot }: TrayPlace) => (spool: Spool): boolean =>
  isHolder(amsId) ? spool.id === amsId : spool.amsId === amsId && spool.slot === slot

const colorOf = ({ rgba }: Spool): string => `#${rgba.slice(0, 6)}`

/** Which spool feeds each filament of a job. @param planned of the plate; empty when nothing is known of it */
export function filamentsOf (planned: readonly PlannedFilament[], { job, spools }: PrinterState): FilamentUse[] {
  const ids = planned.length > 0
    ? planned.map(({ id }) => id)
    : job.mapping.flatMap((place, at) => place === undefined ? [] : [at + 1])
  return ids.map(id => {
    const plan = planned.find(filament => filament.id === id)
    const place = job.mapping[id - 1]
    const spool = place && spools.find(isAt(place))
    return {
      filament: id,
      material: spool?.type || plan?.type || '',
      color: spool && spool.present ? colorOf(spool) : plan?.color ?? '',
      place: place === undefined ? '' : placeOf(place),
      tag: spool === undefined || NO_TAG.test(spool.trayUuid) ? '' : spool.trayUuid,
      plannedGrams: plan?.grams
    }
  })
}

/** What went through the nozzle: all of it, or as much as the printer says is done. */
export const usedGrams = ({ result, percent }: Pick<Print, 'result' | 'percent'>, { plannedGrams }: FilamentUse) =>
  plannedGrams === undefined
    ? null
    : Math.round(plannedGrams * (result === 'finished' ? 100 : percent)) / 100
