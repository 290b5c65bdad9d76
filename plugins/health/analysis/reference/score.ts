import type { JobContext } from '../../types.js'
import { airZone } from '../brightness.js'
import { crop, meanGrey, type Picture } from '../picture.js'
import { lineMaps, lineMeans } from './lines.js'
import { localTexture } from './texture.js'
import { strandCap, weightsFor } from './weights.js'

export interface Signals {
  readonly hot: number
  readonly diff: number | null
}

export interface ReferenceScore {
  readonly anomaly: number
  readonly strands: number
  readonly edges: number
  /** Grey levels. */
  readonly texture: number
}

/** Deviation and edges that count as full. */
const FULL_TEXTURE = 5000
const FULL_EDGES = 0.3
/** Lowest anomaly score of soft filaments, which string a little even when all is well. */
const SOFT_FLOOR = 0.05

export const softFloor = ({ filament }: JobContext): number =>
  /^TP[UE]/i.test(filament?.type ?? '') ? SOFT_FLOOR : 0

/** Weighted sum of brightness, lines, texture and change of the air zone. */
export function referenceScore (picture: Picture, { hot, diff }: Signals, context: JobContext): ReferenceScore {
  const zone = crop(picture, airZone(picture))
  const { strands, edges } = lineMeans(lineMaps(meanGrey(zone)))
  const texture = localTexture(zone)
  const weights = weightsFor(context)
  const sum = weights.strand * Math.min(strands / strandCap(context), 1) +
    weights.texture * Math.min(texture / FULL_TEXTURE, 1) +
    weights.edge * Math.min(edges / FULL_EDGES, 1) +
    weights.diff * (diff ?? 0) +
    weights.hot * hot
  return { anomaly: Math.max(softFloor(context), Math.min(1, sum)), strands, edges, texture }
}
