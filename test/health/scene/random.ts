/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  next (): number
  between (from: number, to: number): number
  whole (from: number, to: number): number
  chance (share: number): boolean
  of<T> (values: readonly T[]): T
  /** Bell-shaped around 0 with deviation 1. */
  bell (): number
}

export function createRandom (seed: number): Random {
  let state = (seed * 2654435761) >>> 0
  const next = () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (from: number, to: number) => from + (to - from) * next()
  return {
    next,
    between,
    whole: (from, to) => Math.floor(between(from, to + 1)),
    chance: share => next() < share,
    of: values => {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new Error('nothing to choose from')
      return value
    },
    bell: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  }
}
