import { activeExtruder } from './heat.js'
import { extruders, movingState, TRAY_FIELDS } from './extruders.js'
import type { DecodeInput, Section } from './section.js'
import { HOLDER_LEFT, isHolder, wireTrayId } from './spools.js'
import type { Raw } from './read.js'
import type { ActiveTray, TrayPlace } from './types.js'

export const activeTray: Section<ActiveTray> = {
  fields: TRAY_FIELDS,
  context: ['loaded'],
  read: readActiveTray
}

function readActiveTray (raw: Raw, input: DecodeInput): ActiveTray {
  const all = extruders.read(raw, input)
  const tool = input.dual ? activeExtruder(raw) : -1
  const active = all.find(({ id }) => id === tool)
  const place = active?.tray
  return {
    id: trayId(place, input.dual),
    amsId: place === undefined || isHolder(place.amsId) ? -1 : place.amsId,
    slot: place === undefined ? -1 : isHolder(place.amsId) ? place.amsId : place.slot,
    targetId: trayId(active?.targetTray, input.dual),
    state: movingState(raw) ?? active?.trayState ?? 'UNLOADED',
    tool,
    external: place !== undefined && isHolder(place.amsId)
  }
}

/** Dual printers count within the unit, single ones over all units. */
function trayId (place: TrayPlace | undefined, dual: boolean): number {
  if (place === undefined) return -1
  if (isHolder(place.amsId)) return dual ? place.amsId : HOLDER_LEFT
  return dual ? place.slot : wireTrayId(place.amsId, place.slot)
}
