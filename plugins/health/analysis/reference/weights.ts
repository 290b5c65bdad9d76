import { isGatedStage } from '../../stages.js'
import type { JobContext } from '../../types.js'

export interface Weights {
  readonly diff: number
  readonly strand: number
  readonly texture: number
  readonly edge: number
  readonly hot: number
}

const START: Weights = { diff: 0.35, strand: 0.25, texture: 0.2, edge: 0.12, hot: 0.08 }
/** Below this progress the scene changes too much for the difference signal. */
const EARLY_PCT = 5
const COVER_OPENED = 17

/** Density of strands that counts as the maximum. */
export function strandCap ({ nozzleMm, series }: JobContext): number {
  const cap = nozzleMm <= 0.2 ? 0.3 : nozzleMm <= 0.4 ? 0.5 : nozzleMm <= 0.6 ? 0.65 : 0.8
  return cap * (series === 'H2' || series === 'X1' ? 1.15 : series === 'A1' ? 0.85 : 1)
}

/** Luma of a colour `#RRGGBB`, 0 to 255; undefined for other text. */
export function luminanceOf (color: string): number | undefined {
  const [, red, green, blue] = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color) ?? []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return 0.299 * parseInt(red, 16) + 0.587 * parseInt(green, 16) + 0.114 * parseInt(blue, 16)
}

function colorFactor ({ filament }: JobContext): number {
  const luminance = filament === null ? undefined : luminanceOf(filament.color)
  if (luminance === undefined) return 1
  return luminance < 64 ? 0.25 : luminance < 128 ? 0.65 : luminance < 192 ? 1 : 1.5
}

function chamberFactor ({ series, enclosed, doorOpen, lidOpen }: JobContext): number {
  if (series === 'A1') return 0.2
  if (series === 'P1' && !enclosed) return 0.9
  return series !== 'UNKNOWN' && !doorOpen && !lidOpen ? 1.1 : 1
}

const hotFactor = (context: JobContext): number =>
  colorFactor(context) * chamberFactor(context) * (context.stageId === COVER_OPENED ? 0.75 : 1) *
  (context.lightOn ? 1.15 : 1) * (context.doorOpen || context.lidOpen ? 0.75 : 1)

function diffFactor ({ stageId, progressPct, speed }: JobContext): number {
  if (isGatedStage(stageId)) return 0
  const early = progressPct < EARLY_PCT ? 0.5 : 1
  return early * (speed === 'LUDICROUS' ? 0.82 : speed === 'SPORT' ? 0.92 : 1)
}

/** Weight of each signal for this job; the weights add up to 1. */
export function weightsFor (context: JobContext): Weights {
  const diff = START.diff * diffFactor(context)
  const hot = START.hot * hotFactor(context)
  const sum = diff + START.strand + START.texture + START.edge + hot
  return {
    diff: diff / sum,
    strand: START.strand / sum,
    texture: START.texture / sum,
    edge: START.edge / sum,
    hot: hot / sum
  }
}
