import type { JobContext } from '../types.js'
import { COOL, MATERIALS, OTHER, WARM, type Curve, type Material } from './materials.data.js'

/** The table row of a filament type: the longest known name that it begins with. */
export function materialOf (type: string | undefined): { readonly name: string, readonly row: Material } {
  const wanted = (type ?? '').toUpperCase().replaceAll(' ', '')
  const name = Object.keys(MATERIALS).filter(known => wanted.startsWith(known)).sort((a, b) =>
    b.length - a.length)[0] ?? ''
  return { name, row: MATERIALS[name] ?? OTHER }
}

const isOpen = ({ doorOpen, lidOpen }: JobContext) => doorOpen || lidOpen

/** Share of prints in this material that fail on such a machine. */
export function baseRisk (context: JobContext): number {
  const { closed, open } = materialOf(context.filament?.type).row
  if (!context.enclosed) return open
  return isOpen(context) ? (closed + open) / 2 : closed
}

function front (percent: number): number {
  if (percent < 15) return 0.4 + (15 - percent) / 15 * 0.6
  if (percent < 50) return 0.15 + (50 - percent) / 35 * 0.25
  return percent < 85 ? 0.05 + (85 - percent) / 35 * 0.1 : 0.05
}

/** Remaining share of the risk at a progress in percent. */
export function hazardLeft (percent: number, curve: Curve): number {
  const even = (100 - percent) / 100
  return curve === 'front' ? front(percent) : curve === 'distributed' ? even : 0.6 * front(percent) + 0.4 * even
}

const PLATFORM: Readonly<Record<string, number>> = { H2: 0.85, X1: 0.9, P1: 1, P2: 1, A1: 1.2 }
const SOFT_FEED = 0.75

/** Risk of a series relative to the mean. */
export function platformFactor ({ series, nozzleFlow, filament }: JobContext): number {
  const soft = materialOf(filament?.type).row.curve === 'distributed' && (series === 'H2' || nozzleFlow === 'TPU_HIGH_FLOW')
  return (PLATFORM[series] ?? 1) * (soft ? SOFT_FEED : 1)
}

/** Factors by which temperatures and open doors raise the risk, and stable conditions lower it. */
export function thermal (context: JobContext): { readonly penalty: number, readonly bonus: number } {
  const { enclosed, nozzleC, nozzleTargetC, bedC, bedTargetC, chamberC, filament } = context
  const { name } = materialOf(filament?.type)
  const nozzleOff = nozzleTargetC > 0 ? Math.abs(nozzleC - nozzleTargetC) : undefined
  const bedOff = bedTargetC > 0 ? Math.abs(bedC - bedTargetC) : 0
  const penalties = [
    isOpen(context) ? 1.2 : 1,
    nozzleOff !== undefined && nozzleOff > 10 ? 1.3 : 1,
    bedOff > 10 ? 1.3 : bedOff > 5 ? 1.15 : 1,
    chamberC > 0 && chamberC < 30 && WARM.has(name) ? 1.2 : 1,
    chamberC > 50 && COOL.has(name) ? 1.15 : 1
  ]
  const bonuses = [
    enclosed && !isOpen(context) ? 0.9 : 1,
    nozzleOff !== undefined && nozzleOff <= 3 ? 0.9 : 1
  ]
  const product = (factors: readonly number[]) => factors.reduce((all, factor) => all * factor, 1)
  return { penalty: product(penalties), bonus: product(bonuses) }
}
