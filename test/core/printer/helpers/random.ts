/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 up to 1. */
  next (): number
  /** A whole number from 0 up to `below`. */
  int (below: number): number
  pick<T> (items: readonly T[]): T
  /** True in this share of the calls. */
  chance (share: number): boolean
}

export function createRandom (seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    next,
    int,
    pick: items => items[int(items.length)] as (typeof items)[number],
    chance: share => next() < share
  }
}
