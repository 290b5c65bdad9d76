import { isHolder, spoolColors, type AmsUnit, type PrinterState, type Spool } from '../../../core/index.js'
import { percent } from '../format.js'
import { defineChart, type ChartView } from '../panel.js'
import { EDGE, frame, HEIGHT, note, WIDTH } from '../svg/frame.js'
import { fit, label, round1, span, tag, widthOf } from '../svg/tag.js'

const FIRST_HT = 128
const A = 'A'.charCodeAt(0)
const letter = (at: number) => String.fromCharCode(A + at % 26)

/** `A` to `D` for four-slot units, `HT A` and so on for single-slot units. */
const unitName = (amsId: number): string =>
  amsId >= FIRST_HT ? `HT ${letter(amsId - FIRST_HT)}` : letter(Math.max(0, amsId))

/** `A1`, `HT A`, `Ext`; on a printer with two nozzles `Ext L` and `Ext R`. */
function placeName ({ id, amsId, slot }: Spool, dual: boolean): string {
  if (isHolder(id)) return dual ? `Ext ${id === 254 ? 'L' : 'R'}` : 'Ext'
  return amsId >= FIRST_HT ? unitName(amsId) : `${unitName(amsId)}${slot + 1}`
}

/** The common name: the material with its variant, else the type. */
const materialName = ({ subBrand, type }: Spool): string => subBrand || type || 'not set'

/** Whether the active nozzle is fed from this spool. */
const isInUse = ({ id, amsId, slot }: Spool, { activeTray: tray }: PrinterState): boolean => {
  if (tray.id === -1) return false
  return tray.external ? isHolder(id) && slot === tray.slot : amsId === tray.amsId && slot === tray.slot
}

/** Colours of a spool as `#RRGGBB`; empty if unknown. */
const coloursOf = (spool: Spool): string[] => spoolColors(spool).colors.map(colour => `#${colour.slice(0, 6)}`)

const WETTEST = 2

/** Units whose humidity index is 1 or 2 of 5, that is, wet. */
const wetUnits = (units: readonly AmsUnit[]): readonly AmsUnit[] =>
  units.filter(({ humidityIndex }) => humidityIndex >= 1 && humidityIndex <= WETTEST)

const ID = 'filament'
const TITLE = 'AMS Filament'
const EMPTY = { text: 'no spool data', detail: 'No filament is loaded, or the printer has not said.' }
const TEXT_SIZE = 12
const LOW_PCT = 10

interface Place { readonly x: number, readonly y: number, readonly width: number, readonly row: number }

const TOP = 44
const WIDEST_ROW = 30
const COMFORTABLE_ROW = 22
const NARROWEST_ROW = 20
const COLUMN_GAP = 16

/** Rows of one column while they stay legible, else of two. */
function layout (count: number, bottom: number): { places: Place[], hidden: number } {
  const space = bottom - TOP
  const columns = count * COMFORTABLE_ROW > space ? 2 : 1
  const most = Math.floor(space / NARROWEST_ROW) * columns
  const shown = Math.min(count, most)
  const perColumn = Math.ceil(shown / columns)
  const row = Math.min(WIDEST_ROW, space / perColumn)
  const width = (WIDTH - 2 * EDGE - (columns - 1) * COLUMN_GAP) / columns
  const places = Array.from({ length: shown }, (_, at): Place => ({
    x: EDGE + Math.floor(at / perColumn) * (width + COLUMN_GAP),
    y: TOP + at % perColumn * row,
    width,
    row
  }))
  return { places, hidden: count - shown }
}

const SWATCH = 14
const BAR_HEIGHT = 12

/** Colours side by side with an outline, so that white and black are visible on any background. */
function swatch (colours: readonly string[], x: number, y: number, width: number, height: number): string {
  const part = width / Math.max(1, colours.length)
  return colours.map((fill, at) => tag('rect', { fill, x: x + at * part, y, width: part, height })).join('') +
    tag('rect', { class: 'o', x, y, width, height, rx: 1.5 })
}

const isKnown = ({ remainingPercent }: Spool) => remainingPercent >= 0 && remainingPercent <= 100
const remainingOf = (spool: Spool) => isKnown(spool) ? percent(spool.remainingPercent) : 'unknown'
const valueClass = (spool: Spool) => !isKnown(spool) ? 'm' : spool.remainingPercent <= LOW_PCT ? 'b w' : 'b'

const TEXT_X = SWATCH + 8
const NAME_WIDTH = 150
const VALUE_WIDTH = widthOf('unknown', TEXT_SIZE) + 8

interface Bar { readonly x: number, readonly y: number, readonly width: number, readonly height: number }

/** Between name and value, or below the name in a narrow column. */
function barOf ({ x, y, width, row }: Place, narrow: boolean): Bar {
  if (narrow) return { x: x + TEXT_X, y: y + row - 5, width: width - TEXT_X - VALUE_WIDTH, height: 4 }
  const start = x + TEXT_X + NAME_WIDTH + 6
  const top = y + row / 2 - BAR_HEIGHT / 2
  return { x: start, y: top, width: x + width - VALUE_WIDTH - start, height: BAR_HEIGHT }
}

/** The remaining filament as an outlined bar on a thin line, so that any colour is visible on any background. */
function drawBar (spool: Spool, colours: readonly string[], { x, y, width, height }: Bar): string {
  const known = isKnown(spool)
  const filled = known ? width * spool.remainingPercent / 100 : 0
  const line = `M${round1(x)} ${round1(y + height / 2)}h${round1(width)}`
  return tag('path', { class: 'o', d: line, 'stroke-dasharray': known ? undefined : '2 3' }) +
    (filled > 0 ? swatch(colours, x, y, filled, height) : '')
}

function drawSpool (spool: Spool, state: PrinterState, place: Place): string {
  const { x, y, width, row } = place
  const middle = y + row / 2
  const narrow = width < WIDTH / 2
  const baseline = narrow ? y + 11 : middle + 4
  const colours = coloursOf(spool)
  const used = isInUse(spool, state)
  const slot = placeName(spool, state.extruders.length > 1)
  const room = (narrow ? width - TEXT_X - VALUE_WIDTH : NAME_WIDTH) - widthOf(`${slot} `, TEXT_SIZE)
  return (used ? tag('path', { class: 'f1', d: `M${x - 9} ${round1(middle - 4)}l6 4-6 4z` }) : '') +
    swatch(colours, x, middle - SWATCH / 2, SWATCH, SWATCH) +
    tag('text', { x: x + TEXT_X, y: baseline },
      span(slot, used ? 'b f1' : 'b'), span(` ${fit(materialName(spool), room, TEXT_SIZE)}`, 'm')) +
    drawBar(spool, colours, barOf(place, narrow)) +
    label(x + width, baseline, remainingOf(spool), { class: valueClass(spool), 'text-anchor': 'end' })
}

const wetText = (units: readonly AmsUnit[]) => units.map(({ id, humidityIndex }) =>
  `${unitName(id)} ${humidityIndex} of 5`).join(', ')

const inWords = (state: PrinterState, spools: readonly Spool[]) => spools.map(spool =>
  `${placeName(spool, state.extruders.length > 1)} ${materialName(spool)}: ` +
  `${isKnown(spool) ? `${remainingOf(spool)} left` : 'remaining amount unknown'}` +
  `${isInUse(spool, state) ? ', in use' : ''}.`).join(' ')

function render ({ state }: ChartView): string {
  const spools = state?.spools.filter(({ present }) => present) ?? []
  if (!state || spools.length === 0) {
    return note({ id: ID, title: TITLE, ...EMPTY })
  }
  const wet = wetUnits(state.ams.units)
  const bottom = HEIGHT - (wet.length > 0 ? 36 : 14)
  const { places, hidden } = layout(spools.length, bottom)
  const damp = `Humid: ${wetText(wet)} (5 is dry)`
  return frame({
    id: ID,
    title: TITLE,
    description: inWords(state, spools) + (wet.length > 0 ? ` ${damp}.` : ''),
    remark: hidden > 0 ? `${hidden} more` : undefined,
    body: places.map((place, at) => drawSpool(spools[at] as Spool, state, place)).join('') +
      (wet.length === 0 ? '' : label(EDGE, HEIGHT - 14, damp, { class: 'w' }))
  })
}

export default defineChart({ id: ID, title: TITLE, render })
