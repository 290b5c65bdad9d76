import type { Finding } from '../alerts/index.js'
import { placeInWords, type Print } from '../history/index.js'
import type { Spools } from './service.js'
import type { Slot, Spool } from './types.js'
import { shortagesOf, type Shortage } from './uses.js'

export interface ShortageAlertsOptions {
  readonly spools: Pick<Spools, 'slots' | 'gramsIn'>
  readonly spoolOf: (slot: Slot) => Spool | undefined
  readonly raise: (printer: string, finding: Finding) => void
}

const findingOf = ({ spool, place, material, neededGrams, leftGrams }: Shortage): Finding => ({
  type: 'spool_low',
  severity: 'medium',
  payload: {
    place,
    material,
    spool: spool?.name ?? '',
    needed_g: Math.round(neededGrams),
    left_g: Math.round(leftGrams),
    reason: `the print takes ${Math.round(neededGrams)} g, about ${Math.round(leftGrams)} g are left in ${placeInWords(place)}`
  }
})

/** Raises alerts for spools that will not last, once for each print. */
export class ShortageAlerts {
  readonly #options: ShortageAlertsOptions
  /** Prints that were checked. */
  readonly #checked = new Set<string>()

  constructor (options: ShortageAlertsOptions) { this.#options = options }

  /** Checks a running print as soon as its filaments are known. */
  check (printer: string, { id, filaments }: Print): void {
    if (this.#checked.has(id) || filaments.length === 0) return
    this.#checked.add(id)
    const { spools, spoolOf, raise } = this.#options
    const slots = spools.slots().filter(slot => slot.printer === printer)
    const short = shortagesOf(filaments, ({ place }) => {
      const slot = slots.find(known => known.place === place)
      const grams = slot && spools.gramsIn(slot)
      return grams === undefined ? undefined : { spool: slot && spoolOf(slot), grams }
    })
    for (const shortage of short) raise(printer, findingOf(shortage))
  }

  /** Call when a print has ended. */
  ended ({ id }: Print): void { this.#checked.delete(id) }
}
