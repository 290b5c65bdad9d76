import { isHolder, type PrinterState, type Spool } from '../../core/index.js'
import { lineOf } from '../filament/index.js'
import { placeName, type PrintView } from '../history/index.js'
import type { FilamentRow, PrintRow } from './tables.js'

/** Fibres of carbon, glass and aramid, wood, and pigment that glows: all of them wear a nozzle. */
const ABRASIVE: ReadonlySet<string> = new Set(['CF', 'GF', 'KEVLAR', 'WOOD', 'GLOW'])

type Named = Parameters<typeof lineOf>[0]

export const isAbrasive = (material: Named): boolean => lineOf(material).split(' ').some(word => ABRASIVE.has(word))

const nameOfSpool = ({ type, subBrand: label, filamentId: catalogueId }: Spool): Named => ({ type, label, catalogueId })

/**
 * Places whose spool wears nozzles. The record of a print only says `PLA` where the spool says that it glows, so this
 * is asked while it prints.
 */
export function abrasivePlaces ({ spools, extruders }: Pick<PrinterState, 'spools' | 'extruders'>): ReadonlySet<string> {
  const isDual = extruders.length > 1
  return new Set(spools.filter(spool => spool.present && isAbrasive(nameOfSpool(spool)))
    .map(({ id, amsId, slot }) => placeName({ amsId: isHolder(id) ? id : amsId, slot }, isDual)))
}

type Times = Pick<PrintView, 'printing_s' | 'unseen_s' | 'prepare_s' | 'planned_s'>

/**
 * Seconds of printing. Time that no service saw counts as far as the plan has time left; without a plan it is left out,
 * since the printer may have been off.
 */
export function printingSeconds (times: Times): number {
  const { printing_s: printing, unseen_s: unseen, prepare_s: prepare, planned_s: planned } = times
  return printing + Math.max(0, Math.min(unseen, planned - printing - prepare))
}

/** What a print that has ended adds to the counters. @param abrasive places known to wear nozzles */
export function wearOf (print: PrintView, abrasive: ReadonlySet<string>):
{ print: PrintRow, filaments: FilamentRow[] } {
  const { id, serial, started_at: startedAt, ended_at: endedAt, result, filaments } = print
  const at = endedAt ?? startedAt
  return {
    print: { id, serial, ended_at: at, seconds: printingSeconds(print), failed: Number(result === 'failed') },
    filaments: filaments.flatMap(({ material, place, grams }, index) => grams === null || grams <= 0
      ? []
      : [{
          id: `${id}:${index}`,
          print: id,
          serial,
          ended_at: at,
          material,
          grams,
          abrasive: Number(isAbrasive({ type: material }) || (place !== '' && abrasive.has(place)))
        }])
  }
}
