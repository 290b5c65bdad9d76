import t from 'tap'
import fans from '../../../../../plugins/charts/panels/fans.js'
import health from '../../../../../plugins/charts/panels/health.js'
import temperature from '../../../../../plugins/charts/panels/temperature.js'
import { all, descOf, points, readSvg, strokes, texts, withClass } from '../../read-svg.js'
import { NOW_S, recordOf, stateOf, viewOf, wave } from '../../view.js'

const draw = (panel: { render: typeof temperature.render }, given: Parameters<typeof viewOf>[0]) =>
  readSvg(panel.render(viewOf(given)))
const HEATING = {
  tool: wave(age => 215 + age % 3),
  tool_target: wave(() => 220),
  bed: wave(() => 60.4),
  bed_target: wave(() => 60),
  chamber: wave(() => 31.6),
  chamber_target: wave(() => 0)
}

t.test('temperatures: lines, dashed targets, current values', t => {
  const svg = draw(temperature, { series: HEATING })
  t.same(texts(svg).slice(0, 4), ['Temperature History', 'Nozzle 215 °C → 220 °C', 'Bed 60 °C → 60 °C', 'Chamber 32 °C'])
  t.equal(withClass(svg, 'path', 'd').length, 2, 'a target of 0 is none')
  t.match(descOf(svg), 'Nozzle 215 °C, target 220 °C. Bed 60 °C, target 60 °C. Chamber 32 °C.')
  t.end()
})

t.test('a drawing says what it is to those who do not see it', t => {
  const svg = draw(temperature, { series: HEATING })
  const { role, viewBox, ...attributes } = svg.attributes
  t.equal(role, 'img')
  t.equal(viewBox, '0 0 400 300')
  t.equal(attributes['aria-labelledby'], all(svg, 'title')[0]?.attributes.id)
  t.equal(attributes['aria-describedby'], all(svg, 'desc')[0]?.attributes.id)
  t.equal(all(svg, 'script').length + all(svg, 'foreignObject').length, 0)
  t.ok(all(svg, 'text').every(({ attributes }) => attributes.style === undefined), 'no inline styles')
  t.end()
})

t.test('two nozzles as soon as the second was warm once', t => {
  const cold = draw(temperature, { series: { ...HEATING, tool_1: wave(() => 0) } })
  t.match(texts(cold)[1], /^Nozzle 215/)
  const dual = draw(temperature, { series: { ...HEATING, tool_1: wave(() => 180), tool_1_target: wave(() => 180) } })
  t.same(texts(dual).slice(1, 3), ['Nozzle R 215 °C → 220 °C', 'Nozzle L 180 °C → 180 °C'])
  t.match(descOf(dual), 'Right nozzle 215 °C, target 220 °C. Left nozzle 180 °C')
  t.end()
})

t.test('a printer that cannot measure its chamber has no line for it', t => {
  const svg = draw(temperature, { series: HEATING, state: stateOf({ nozzle_temper: 20 }, 'A1_MINI'), model: 'A1_MINI' })
  t.notMatch(texts(svg).join(), 'Chamber')
  t.end()
})

t.test('no line where data is missing', t => {
  const tool = HEATING.tool.filter(({ t }) => t < NOW_S - 2000 || t > NOW_S - 1500)
  const svg = draw(temperature, { series: { tool } })
  const [line] = withClass(svg, 'path', 'l1').filter(path => points(path) > 5)
  t.equal(line && strokes(line), 2)
  t.end()
})

t.test('an hour of reports is small', t => {
  const series = { ...HEATING, tool: wave(age => 215 + Math.sin(age) * 3), tool_1: wave(age => 180 + Math.cos(age)) }
  const text = temperature.render(viewOf({ series }))
  t.ok(text.length < 12_000, `${text.length} characters`)
  const most = Math.max(...all(readSvg(text), 'path').map(points))
  t.ok(most <= 300, `${most} points`)
  t.end()
})

t.test('values that are none, or that nobody can mean, do not spoil the chart', t => {
  const tool = [20, NaN, Infinity, 1e300, -273, 400].map((v, at) => ({ t: NOW_S - 60 + at, v }))
  const svg = draw(temperature, { series: { tool } })
  t.notMatch(JSON.stringify(svg), /NaN|Infinity|undefined|e\+/)
  t.match(texts(svg)[1], '400 °C', 'what can be drawn is')
  t.ok(texts(svg).includes('-300'), 'the axis reaches below zero')
  t.end()
})

t.test('one point is a dot with a mark', t => {
  const svg = draw(temperature, { series: { bed: [{ t: NOW_S - 1, v: 25 }] } })
  const [, dot] = withClass(svg, 'path', 'l2')
  t.match(dot?.attributes.d, /^M[\d. ]+h0$/)
  t.match(descOf(svg), 'Nozzle: no value. Bed 25 °C.')
  t.end()
})

t.test('nothing yet', t => {
  for (const series of [{}, { tool: [] }, { tool: [{ t: NOW_S - 9999, v: 200 }] }]) {
    t.ok(texts(draw(temperature, { series })).includes('no data'))
  }
  t.ok(texts(draw(fans, {})).includes('no data'))
  t.ok(texts(draw(health, {})).includes('no health data yet'))
  t.end()
})

t.test('old data is said to be old', t => {
  const tool = wave(() => 200).filter(({ t }) => t < NOW_S - 600)
  t.match(texts(draw(temperature, { series: { tool } }))[1], /^last \d\d:\d\d$/)
  t.notMatch(texts(draw(temperature, { series: HEATING })).join(), 'last')
  t.end()
})

t.test('event marks carry labels, escaped', t => {
  const events = [{ t: NOW_S - 3000, label: 'Nozzle → 220°C' }, { t: NOW_S - 1000, label: '<script>alert(1)</script>' }]
  const text = temperature.render(viewOf({ series: HEATING, events }))
  t.match(text, 'Nozzle → 220°C')
  t.notMatch(text, '<script')
  t.ok(readSvg(text))
  t.end()
})

t.test('fans share an axis of percent; the newest value of each is told', t => {
  const still = wave(() => 0)
  const series = { part_fan: wave(() => 100), aux_fan: wave(() => 70), exhaust_fan: still, heatbreak_fan: still }
  const svg = draw(fans, { series })
  t.same(texts(svg).slice(1, 5), ['Part 100 %', 'Auxiliary 70 %', 'Exhaust 0 %', 'Heatbreak 0 %'])
  t.ok(texts(svg).includes('100 %'))
  const [triangles, diamonds] = ['f3', 'f4'].map(name => withClass(svg, 'path', name))
  t.not(triangles?.at(-1)?.attributes.d?.split(' ')[0], diamonds?.at(-1)?.attributes.d?.split(' ')[0],
    'marks of equal values stand side by side')
  t.end()
})

t.test('health in percent, what may go wrong on an axis of its own', t => {
  const records = Array.from({ length: 30 }, (_, at) =>
    recordOf((30 - at) * 60, at % 3 === 0 ? { diff_score: null, confidence: null } : {}))
  const svg = draw(health, { health: records })
  t.same(texts(svg).filter(text => /^[A-Z]\w+ [\d.]+ %$/.test(text)),
    ['Success 97 %', 'Confidence 86 %', 'Hot 2 %', 'Strands 1.2 %', 'Diff 2 %'])
  t.match(descOf(svg), 'Probability of success 97 %. Confidence 86 %. Bright area 2 %. Strands 1.2 %. Change 2 %.')
  t.end()
})
