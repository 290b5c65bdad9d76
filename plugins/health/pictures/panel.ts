import type { JobContext, Status } from '../types.js'
import { BADGES, COLORS, VISIBILITY_LABELS } from './colors.js'
import { text } from './text.js'
import type { PictureContent } from './scene.js'

export const PANEL_HIGH = 120

const GAUGE = { x: 65, y: 62, radius: 40, thick: 12, from: 135, sweep: 270 }

function arc (fromDegrees: number, toDegrees: number, color: string): string {
  const point = (degrees: number) => {
    const angle = degrees * Math.PI / 180
    return `${(GAUGE.x + GAUGE.radius * Math.cos(angle)).toFixed(1)} ${(GAUGE.y + GAUGE.radius * Math.sin(angle)).toFixed(1)}`
  }
  const large = toDegrees - fromDegrees > 180 ? 1 : 0
  return `<path d="M${point(fromDegrees)}A${GAUGE.radius} ${GAUGE.radius} 0 ${large} 1 ${point(toDegrees)}" ` +
    `fill="none" stroke="${color}" stroke-width="${GAUGE.thick}"/>`
}

const words = ({ word, reason, sight: visibility }: Status): string =>
  word === 'standby' ? (reason ?? '').toUpperCase() : VISIBILITY_LABELS[visibility]

function gauge ({ status, confidence }: PictureContent): string {
  const { word, health } = status
  const color = BADGES[word].ink
  const end = GAUGE.from + GAUGE.sweep * (health ?? 0)
  const band = Math.max(3, GAUGE.sweep * (1 - (confidence ?? 0)) * 0.12)
  const last = GAUGE.from + GAUGE.sweep
  return text(8, 14, 'HEALTH', { size: 7, color: COLORS.label }) +
    arc(GAUGE.from, last, '#3c3c3c') +
    (health === null ? '' : arc(GAUGE.from, Math.max(GAUGE.from + 1, end), color)) +
    (health === null ? '' : arc(Math.max(GAUGE.from, end - band), Math.min(last, end + band), `${color}60`)) +
    text(GAUGE.x, GAUGE.y + 3, health === null ? '–' : `${Math.round(health * 100)}%`, { size: 13, color, anchor: 'middle' }) +
    text(GAUGE.x, GAUGE.y + 16, word.toUpperCase(), { size: 7, color, anchor: 'middle' }) +
    text(GAUGE.x, 103, words(status), { size: 6, color: COLORS.warn, anchor: 'middle' }) +
    (confidence === null ? '' : text(GAUGE.x, 113, `conf ${Math.round(confidence * 100)}%`, { size: 7, color: COLORS.label, anchor: 'middle' }))
}

interface Column { readonly title: string, readonly lines: readonly (readonly [content: string, color: string])[] }

const HUMIDITY = [COLORS.dim, COLORS.crit, COLORS.crit, COLORS.warn, COLORS.ok, COLORS.ok] as const
const celsius = (value: number) => `${Math.round(value)}°`
const onOff = (on: boolean): readonly [string, string] => on ? ['ON', COLORS.ok] : ['OFF', COLORS.dim]

/** Readings of the printer, the most important first. */
function columnsOf (context: JobContext): readonly Column[] {
  const { errors, spaghetti, clumping, amsHumidity, chamberC } = context
  const temperature = (title: string, actual: number, target: number): Column =>
    ({ title, lines: [[celsius(actual), COLORS.value], [target > 0 ? `/${celsius(target)}` : 'OFF', COLORS.dim]] })
  return [
    { title: 'HMS', lines: errors > 0 ? [[String(errors), COLORS.crit], ['ERR', COLORS.crit]] : [['OK', COLORS.ok]] },
    { title: 'SPAG', lines: [onOff(spaghetti.enabled), [spaghetti.sensitivity.slice(0, 3), COLORS.label]] },
    { title: 'BLOB', lines: [onOff(clumping.enabled)] },
    temperature('NOZZLE', context.nozzleC, context.nozzleTargetC),
    temperature('BED', context.bedC, context.bedTargetC),
    {
      title: 'AMS HUM',
      lines: [amsHumidity === 0
        ? ['N/A', COLORS.dim]
        : [String(amsHumidity),
            HUMIDITY[amsHumidity] ?? COLORS.dim]]
    },
    { title: 'CHM', lines: [chamberC > 0 ? [celsius(chamberC), COLORS.value] : ['–', COLORS.dim]] },
    { title: 'PART', lines: [[`${context.partFanPct}%`, COLORS.value]] },
    { title: 'AUX', lines: [[`${context.auxFanPct}%`, COLORS.value]] },
    { title: 'EXH', lines: [[`${context.exhaustFanPct}%`, COLORS.value]] }
  ]
}

const FIRST_X = 130
const NARROWEST = 46

/** The health gauge, and beside it as many columns as fit. */
export function panelBody (view: PictureContent, width: number): string {
  const room = width - FIRST_X
  const columns = columnsOf(view.context).slice(0, Math.max(1, Math.floor(room / NARROWEST)))
  const wide = room / columns.length
  return `<rect width="${width}" height="${PANEL_HIGH}" fill="#08080a"/>` + gauge(view) +
    columns.map(({ title, lines }, at) => {
      const left = FIRST_X + at * wide
      const middle = left + wide / 2
      return `<path d="M${left.toFixed(1)} 14V${PANEL_HIGH - 14}" stroke="#ffffff22"/>` +
        text(middle, 36, title, { size: 7, color: COLORS.label, anchor: 'middle' }) +
        lines.map(([content, color], line) =>
          text(middle, 62 + line * 20, content, { size: line === 0 ? 11 : 8, color, anchor: 'middle' })).join('')
    }).join('')
}
