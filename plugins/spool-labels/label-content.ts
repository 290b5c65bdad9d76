import { BadInput } from '../../core/index.js'
import type { Filaments } from '../filament/index.js'
import { spoolTemperatures, type Spool, type Spools, type SpoolType } from '../spools/index.js'
import type { LabelContent } from './draw-label.js'
import { NoSpoolToLabel } from './errors.js'
import { MOST_LABELS } from './schemas.js'

/** What is known of the type of a spool. */
export type LabelledType = Pick<SpoolType, 'brand' | 'nozzle_min' | 'nozzle_max' | 'bed'>

/** What the label of a spool says. @param baseUrl where people reach the service */
export function contentOf (
  spool: Spool, type: LabelledType | undefined, filaments: Pick<Filaments, 'generic'>, baseUrl: string
): LabelContent {
  const { id, name, material, color, netGrams } = spool
  return {
    id,
    name,
    material,
    brand: type?.brand ?? '',
    color,
    ...spoolTemperatures(type, filaments.generic(material)),
    netGrams,
    address: `${baseUrl}/spools/${encodeURIComponent(id)}`
  }
}

/**
 * The spools of these ids, in their order; all if none is given.
 * @throws PRN_ERR_NO_SPOOL_TO_LABEL
 */
export function chosenSpools (spools: Pick<Spools, 'all'>, ids: string): readonly Spool[] {
  const wanted = ids.split(',').map(id => id.trim()).filter(id => id !== '')
  const all = spools.all()
  const byId = new Map(all.map(spool => [spool.id, spool]))
  const chosen = wanted.length === 0 ? all : wanted.map(id => byId.get(id) ?? missing(id))
  if (chosen.length > MOST_LABELS) throw new BadInput(`At most ${MOST_LABELS} labels are printed at a time, these are ${chosen.length}`)
  return chosen
}

function missing (id: string): never {
  throw new NoSpoolToLabel(id.slice(0, 64))
}
