import type { AccessUnit } from './types.js'

/** A camera that sends more than this without a key picture is not buffered: new viewers wait for the next one. */
const MOST_BYTES = 24 * 1024 * 1024
const MOST_UNITS = 1_000

/** The last key picture and all that followed it: new viewers start here, and single pictures are decoded from here. */
export interface GroupRing {
  readonly units: readonly AccessUnit[]
  push (unit: AccessUnit): void
  clear (): void
  /** What must be decoded for a picture that arrived at `since` or later, ms since the epoch; undefined without one. */
  pictureSince (since: number): readonly AccessUnit[] | undefined
}

const sizeOf = ({ nalus }: AccessUnit): number => nalus.reduce((sum, { length }) => sum + length, 0)

export function createGroupRing ({ mostBytes = MOST_BYTES, mostUnits = MOST_UNITS } = {}): GroupRing {
  let units: AccessUnit[] = []
  let bytes = 0

  function clear (): void {
    units = []
    bytes = 0
  }

  return {
    get units () { return units },
    clear,
    push (unit) {
      if (unit.key) clear()
      else if (units.length === 0) return
      units.push(unit)
      bytes += sizeOf(unit)
      if (bytes > mostBytes || units.length > mostUnits) clear()
    },
    pictureSince (since) {
      const key = units[0]
      if (key === undefined) return undefined
      if (key.at >= since) return [key]
      return (units.at(-1)?.at ?? 0) >= since ? [...units] : undefined
    }
  }
}
