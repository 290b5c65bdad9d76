import type { Page } from 'playwright-core'
import t from 'tap'
import type { ChartView } from '../../../plugins/charts/index.js'
import { PANELS } from '../../../plugins/charts/panels/index.js'
import { browse, noBrowser } from './chromium.js'
import { NOW_S, recordOf, stateOf, viewOf, wave } from './view.js'

const tray = (id: number, name: string, remain: number) =>
  ({ id: String(id), tray_type: 'PLA', tray_sub_brands: name, tray_color: 'F5C518FF', remain })
const trays = [tray(0, 'PLA Basic', -1), tray(1, 'Support for PA/PET', 32), tray(2, 'PLA', 65), tray(3, 'ASA', 100)]
const units = (count: number, humidity: string) =>
  Array.from({ length: count }, (_, id) => ({ id: String(id), humidity, tray: trays }))
const LEVELS = {
  tool: 298,
  tool_target: 300,
  tool_1: 298,
  tool_1_target: 300,
  bed: 108,
  bed_target: 110,
  chamber: 58,
  chamber_target: 60,
  part_fan: 100,
  aux_fan: 100,
  exhaust_fan: 100,
  heatbreak_fan: 100
}
const HOT = Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, wave(() => level)]))
const MARKS = Array.from({ length: 50 },
  (_, at) => ({ t: NOW_S - 3600 + at * 72, label: `Nozzle ${at % 2} → ${200 + at}°C` }))
const dual = { device: { extruder: { state: 0, info: [{ id: 0 }, { id: 1 }] } } }

const VIEWS: Readonly<Record<string, ChartView>> = {
  empty: viewOf(),
  'full of everything': viewOf({
    series: HOT,
    events: MARKS,
    durations: { RUNNING: 36_000, PAUSE: 7_260, PREPARE: 599, FINISH: 80, FAILED: 20, 'A NEW STATE': 9 },
    health: Array.from({ length: 60 }, (_, at) => recordOf((60 - at) * 60, { success_pct: 1, hot_pct: 1 })),
    state: stateOf({ ...dual, gcode_state: 'RUNNING', stg: [1, 3, 8], stg_cur: 8, ams: { ams: units(4, '1') } }, 'H2D'),
    model: 'H2D'
  }),
  'a few spools': viewOf({
    series: { tool: wave(() => 25, 30) },
    state: stateOf({ gcode_state: 'IDLE', ams: { ams: units(2, '5') }, vt_tray: { id: '254', tray_type: 'TPU' } }, 'X1C')
  })
}

/** Pairs of texts of one drawing that cover each other, and texts that leave it. */
const FAULTS = `(() => {
  const boxes = svg => [...svg.querySelectorAll('text')].filter(text => text.textContent !== '').map(text => {
    const { left, right, top, bottom } = text.getBoundingClientRect()
    return { left, right, top: top + 3, bottom: bottom - 3, words: text.textContent }
  })
  return [...document.querySelectorAll('svg')].flatMap(svg => {
    const all = boxes(svg)
    const whole = svg.getBoundingClientRect()
    const out = all.filter(({ left, right, top, bottom }) =>
      left < whole.left || right > whole.right || top < whole.top || bottom > whole.bottom).map(({ words }) => words + ' leaves the drawing')
    const pairs = all.flatMap((a, at) => all.slice(at + 1)
      .filter(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map(b => a.words + ' covers ' + b.words))
    return [...out, ...pairs]
  })
})()`

async function faultsOf (page: Page, view: ChartView): Promise<string[]> {
  const drawings = PANELS.map(({ render }) => `<div style="width:400px">${render?.(view) ?? ''}</div>`)
  await page.setContent(drawings.join(''))
  return await page.evaluate<string[]>(FAULTS)
}

t.test('texts never cover each other nor leave their drawing', { skip: noBrowser }, async t => {
  const { page } = await browse(t)
  for (const [name, view] of Object.entries(VIEWS)) t.same(await faultsOf(page, view), [], name)
})
