import { BadInput } from '../errors.js'

/** In ms that is the spring of 1973, in s the year 5138. */
const EARLIEST_MS = 100_000_000_000

/**
 * Times of callers are ms since the epoch, and 0 stands for none.
 * @throws PRN_ERR_BAD_INPUT for times in seconds: they would pass as times shortly after 1970
 */
export function refuseSeconds (times: Readonly<Record<string, number | undefined>>): void {
  for (const [name, given] of Object.entries(times)) {
    if (given === undefined || given <= 0 || given >= EARLIEST_MS) continue
    throw new BadInput(`${name} is in milliseconds since the epoch, and ${given} looks like seconds: give ${given * 1000}`)
  }
}
