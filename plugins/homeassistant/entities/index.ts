import { amsEntities } from './ams.js'
import { controls } from './controls.js'
import { sensors } from './sensors.js'
import { health, specials } from './specials.js'
import type { Entity, View } from './types.js'

export { EVENT_TYPES, OTHER_ALERT, REFUSED } from './specials.js'
export type { Entity, EntityCommand, View } from './types.js'

export interface CatalogueOptions {
  /** Topic with the availability of the service. */
  readonly status: string
  /** Whether an operation exists, as its plugin may be switched off. */
  readonly offers: (operation: string) => boolean
  /** Whether there is a job monitor. */
  readonly watchesPrints: boolean
  /** Whether pictures of a printer are sent; undefined without any. */
  readonly hasImage: Entity['has']
}

/** The entities of a printer, by its report and model. */
export type Catalogue = (view: View) => readonly Entity[]

export function createCatalogue ({ status, offers, watchesPrints, hasImage }: CatalogueOptions): Catalogue {
  const fixed = [...sensors, ...(watchesPrints ? [health] : []), ...controls, ...specials(status, hasImage)]
    .filter(({ command }) => command === undefined || offers(command.operation))
  return view => [...fixed, ...amsEntities(view)].filter(({ has }) => has?.(view) ?? true)
}
