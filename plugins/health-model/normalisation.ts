import type { Model } from './types.js'

export const SCALES = ['0..1', '0..255'] as const
export type Scale = (typeof SCALES)[number]

/** How the numbers of a picture are prepared, as the training wrote it. */
export interface Normalisation {
  /** The range of a channel before mean and deviation. */
  readonly scale?: Scale
  readonly mean?: readonly number[]
  readonly std?: readonly number[]
}

/** Mean and standard deviation of ImageNet, with which most encoders are trained. */
const MEAN = [0.485, 0.456, 0.406]
const STD = [0.229, 0.224, 0.225]

const BYTE = 255
/** One number stands for all channels. @throws for a wrong number of them */
function channels (values: readonly number[], what: string): number[] {
  const all = values.length === 1 ? [values[0], values[0], values[0]] : values
  if (all.length !== 3 || !all.every(value => Number.isFinite(value))) throw new Error(`--${what} is one number or three`)
  return all.map(Number)
}

/**
 * Mean and deviation for channels of 0 to 1.
 * @param usual isPlain: without them, 0 to 1 is the input; isBytes: the input takes bytes
 */
export function normalisationOf ({ scale, mean, std }: Normalisation,
  { isPlain, isBytes }: { readonly isPlain: boolean, readonly isBytes: boolean }): Pick<Model, 'mean' | 'std'> {
  const isOwn = isPlain || isBytes || scale !== undefined
  const range = scale === '0..255' || (scale === undefined && isBytes) ? BYTE : 1
  const means = channels(mean ?? (isOwn ? [0] : MEAN), 'mean')
  const deviations = channels(std ?? (isOwn ? [1] : STD), 'std')
  if (range === 1 && [...means, ...deviations].some(value => value > 10)) {
    throw new Error('A mean or deviation of so many units is meant for pixels of 0 to 255: add --scale 0..255')
  }
  if (deviations.some(value => value <= 0)) throw new Error('--std is above 0')
  return { mean: means.map(value => value / range), std: deviations.map(value => value / range) }
}
