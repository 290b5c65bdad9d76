export type Domain = readonly [low: number, high: number]

/** Maps a domain to a range of coordinates. */
export const linearScale = ([low, high]: Domain, [from, to]: Domain) => {
  const factor = high === low ? 0 : (to - from) / (high - low)
  return (value: number): number => from + (value - low) * factor
}

const NICE_STEPS = [1, 2, 5, 10]

const niceStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * (NICE_STEPS.find(step => step * power >= rough * 0.999) ?? 10)
}

export interface Axis { readonly domain: Domain, readonly ticks: readonly number[] }

/** An axis between round numbers that includes both values. @param steps approximate number of steps */
export function niceAxis ([low, high]: Domain, steps: number): Axis {
  const step = niceStep(high > low ? (high - low) / steps : Math.max(Math.abs(high), 1) / steps)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  const ticks = Array.from({ length: last - first + 1 },
    (_, at) => Number(((first + at) * step).toPrecision(12)))
  return { domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1], ticks }
}

/** Lowest and highest of the values; undefined without any. */
export function extent<T> (things: readonly T[], read: (thing: T) => number): Domain | undefined {
  let low = Infinity
  let high = -Infinity
  for (const thing of things) {
    const value = read(thing)
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? [low, high] : undefined
}
