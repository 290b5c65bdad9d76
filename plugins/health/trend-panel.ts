import type { HudPanel } from '../camera/index.js'
import { FACTORS, type Factors } from './types.js'
import type { HealthRecord } from '../telemetry/index.js'

const WIDE = 220
const HIGH = 34
const INK = { success: '#60d080', confidence: '#80a0ff', strands: '#ff9040', amber: '#f0c040', label: '#9a9a9a' }

/** Values over time as the `d` attribute of a path, with gaps for missing values. */
export function sparkline (values: readonly (number | null)[], most: number, width = WIDE, height = HIGH): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let pen = 'M'
  return values.map((value, at) => {
    if (value === null) {
      pen = 'M'
      return ''
    }
    const y = height - 1 - (height - 2) * Math.max(0, Math.min(1, value / most))
    const point = `${pen}${(at * step).toFixed(1)} ${y.toFixed(1)}`
    pen = 'L'
    return point
  }).join('')
}

interface Line {
  readonly label: string,
  readonly color: string,
  readonly values: readonly (number | null)[],
  readonly most: number,
  readonly dashes?: string
}

function lineOf ({ label, color, values, most, dashes }: Line, at: number): string {
  const top = 14 + at * (HIGH + 20)
  const last = values.at(-1)
  const now = typeof last === 'number' ? (most === 1 ? `${Math.round(last * 100)} %` : last.toFixed(3)) : '–'
  return `<g transform="translate(0 ${top})"><text x="0" y="-3" font-size="10" fill="${INK.label}">${label}</text>` +
    `<text x="${WIDE}" y="-3" font-size="10" fill="${color}" text-anchor="end">${now}</text>` +
    `<path d="${sparkline(values, most)}" fill="none" stroke="${color}" stroke-width="1.5"${dashes ? ` stroke-dasharray="${dashes}"` : ''}/></g>`
}

const RADAR = { x: WIDE / 2, y: 258, radius: 58 }

function radar (factors: Factors): string {
  const at = (axis: number, share: number) => {
    const angle = axis / FACTORS.length * 2 * Math.PI
    return [RADAR.x + RADAR.radius * share * Math.sin(angle),
      RADAR.y - RADAR.radius * share * Math.cos(angle)] as const
  }
  const shape = (shares: readonly number[]) => `M${shares.map((share, axis) => at(axis, share).map(value => value.toFixed(1)).join(' ')).join('L')}Z`
  const labels = FACTORS.map((name, axis) => {
    const [x, y] = at(axis, 1.18)
    const anchor = Math.abs(x - RADAR.x) < 2 ? 'middle' : x > RADAR.x ? 'start' : 'end'
    return `<text x="${x.toFixed(1)}" y="${(y + 3).toFixed(1)}" font-size="9" fill="${factors[name] >= 0.3 ? INK.amber : INK.label}" text-anchor="${anchor}">${name}</text>`
  })
  return [1 / 3, 2 / 3, 1].map(ring => `<path d="${shape(FACTORS.map(() => ring))}" fill="none" stroke="#ffffff30"/>`).join('') +
    `<path d="${shape(FACTORS.map(name => Math.max(0.02, factors[name])))}" fill="${INK.amber}40" stroke="${INK.amber}"/>` + labels.join('')
}

/** The course of the job as sparklines, and its risk factors. */
export function trendSvg (records: readonly HealthRecord[]): string | undefined {
  const last = records.at(-1)
  if (!last) return undefined
  const lines: readonly Line[] = [
    { label: 'Success', color: INK.success, values: records.map(record => record.success_pct), most: 1 },
    {
      label: 'Confidence',
      color: INK.confidence,
      values: records.map(({ confidence }) => confidence),
      most: 1,
      dashes: '4 3'
    },
    { label: 'Strands', color: INK.strands, values: records.map(record => record.strand_score), most: 0.25 }
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} 336" role="img" font-family="sans-serif">` +
    `<title>Chances of this job over time, and what endangers it</title>${lines.map(lineOf).join('')}` +
    `${radar(last.factors as Factors)}</svg>`
}

export const healthTrend = (records: (printer: string) => readonly HealthRecord[]): HudPanel => ({
  id: 'health-trend',
  title: 'Health of this job',
  slot: 'hud',
  render: ({ name }) => trendSvg(records(name))
})
