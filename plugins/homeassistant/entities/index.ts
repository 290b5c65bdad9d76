import { amsEntities } from './ams.js'
import { controls } from './controls.js'
import { sensors } from './sensors.js'
import { health, specials } from './specials.js'
import type { Entity, View } from './types.js'

export { EVENT_TYPES, OTHER_ALERT, REFUSED } from './specials.js'
export type { Entity, EntityCommand, View } from './types.js'

export interface CatalogueOptions {
  /** Topic that says whether the service is there. */
  readonly status: string
  /** Whether an operation is served: a plugin may be switched off. */
  readonly offers: (operation: string) => boolean
  /** Whether there is a job monitor. */
  readonly watchesPrints: boolean
  /** Whether pictures of a printer are sent; undefined when none are. */
  readonly hasImage: Entity['has']
}

/** The entities that a printer has, by what it reports and by its model. */
export type Catalogue = (view: View) => readonly Entity[]

export function createCatalogue ({ status, offers, watchesPrints, hasImage }: CatalogueOptions): Catalogue {
  const fixed = [...sensors, ...(watchesPrints ? [health] : []), ...controls, ...specials(status, hasImage)]
    .filter(({ command }) => command === undefined || offers(command.operation))
  return view => [...fixed, ...amsEntities(view)].filter(({ has }) => has?.(view) ?? true)
}
