import type { FaultSource, FtpFault } from '../../printer-servers/index.js'
import type { Lift } from '../faults.js'

/** What is wrong with a card server for now. */
export interface FtpFaults extends FaultSource {
  add (fault: FtpFault): Lift
  clear (): void
}

export function createFtpFaults (): FtpFaults {
  const standing = new Map<FtpFault, number>()
  return {
    add (fault) {
      const own = { ...fault }
      standing.set(own, fault.times ?? Infinity)
      return () => { standing.delete(own) }
    },
    take (command, isEncrypted = true) {
      const strikes = ({ command: struck, ifEncrypted = false }: FtpFault) =>
        (struck === command || struck === '*') && (isEncrypted || !ifEncrypted)
      const found = [...standing].find(([fault]) => strikes(fault))
      if (found === undefined) return undefined
      const [fault, left] = found
      if (left <= 1) standing.delete(fault)
      else standing.set(fault, left - 1)
      return fault
    },
    clear: () => standing.clear()
  }
}
