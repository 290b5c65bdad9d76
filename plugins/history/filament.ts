import { isHolder, type PrinterState, type Spool, type TrayPlace } from '../../core/index.js'
import type { FilamentUse, Print } from './types.js'

/** A filament as the slicer tells of it. */
export interface PlannedFilament {
  readonly id: number
  readonly type: string
  readonly color: string
  readonly grams?: number
  readonly metres?: number
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
      plannedGrams: plan?.grams,
      plannedMetres: plan?.metres
    }
  })
}

/** What went through the nozzle of a plan: all of it, or as much as the printer says is done. */
export const usedOf = ({ result, percent }: Pick<Print, 'result' | 'percent'>, planned: number | undefined) =>
  planned === undefined ? null : Math.round(planned * (result === 'finished' ? 100 : percent)) / 100

/** Money for a kilogram, by material. */
export type Prices = Readonly<Record<string, number>>

/** Null when no price is known. */
export const costOf = (prices: Prices, material: string, grams: number | null): number | null => {
  const price = Object.hasOwn(prices, material) ? prices[material] : undefined
  return price === undefined || grams === null ? null : Math.round(price * grams / 10) / 100
}
