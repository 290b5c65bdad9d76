import { createRandom } from '../../machine/noise.js'
import type { Canvas } from './canvas.js'

const LEVELS = 256
const NOISE_SIZE = 1 << 16
/** Spread of the noise in grey levels, and the brightness below which a sensor has more of it. */
const NOISE = { lit: 1.4, dark: 3, darkBelow: 0.2 }
/** Four evenly distributed numbers added up spread by this much. */
const SUM_OF_FOUR = Math.sqrt(4 / 12)
/** More than the largest step that noise can make. */
const MARGIN = 16

const tables = new Map<number, Int8Array>()

/** Noise table in grey levels, offset by the margin. */
function noiseOf (spread: number): Int8Array {
  const known = tables.get(spread)
  if (known !== undefined) return known
  const random = createRandom(`noise ${spread}`)
  const bell = (): number => (random() + random() + random() + random() - 2) / SUM_OF_FOUR
  const table = Int8Array.from({ length: NOISE_SIZE }, () => MARGIN + Math.round(bell() * spread))
  tables.set(spread, table)
  return table
}

/** Clamps a level with noise to black and white. */
const BOUNDED = Uint8ClampedArray.from({ length: LEVELS + 2 * MARGIN }, (_, at) => at - MARGIN)

/** Applies brightness, 0 to 1, and sensor noise, which differs for every `turn`. */
export function exposeWithNoise ({ data }: Canvas, brightness: number, turn: number): void {
  const noise = noiseOf(brightness < NOISE.darkBelow ? NOISE.dark : NOISE.lit)
  const levels = Uint8Array.from({ length: LEVELS }, (_, level) => level * brightness)
  const bounded = BOUNDED
  let at = Math.imul(turn, 40503) & (NOISE_SIZE - 1)
  for (let byte = 0; byte < data.length; byte += 3) {
    const grain = noise[at] as number
    at = (at + 1) & (NOISE_SIZE - 1)
    data[byte] = bounded[(levels[data[byte] as number] as number) + grain] as number
    data[byte + 1] = bounded[(levels[data[byte + 1] as number] as number) + grain] as number
    data[byte + 2] = bounded[(levels[data[byte + 2] as number] as number) + grain] as number
  }
}
