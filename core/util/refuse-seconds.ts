import { BadInput } from '../errors.js'

/** As ms this is the spring of 1973, as s the year 5138. */
const EARLIEST_MS = 100_000_000_000

/**
 * Callers give times in ms since the epoch, with 0 for none.
 * @throws PRN_ERR_BAD_INPUT for times in seconds, which would be interpreted as times shortly after 1970
 */
export function refuseSeconds (times: Readonly<Record<string, number | undefined>>): void {
  for (const [name, given] of Object.entries(times)) {
    if (given === undefined || given <= 0 || given >= EARLIEST_MS) continue
    throw new BadInput(`${name} is in milliseconds since the epoch, and ${given} looks like seconds: give ${given * 1000}`)
  }
}
