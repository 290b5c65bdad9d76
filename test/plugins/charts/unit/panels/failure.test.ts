import t from 'tap'
import failure from '../../../../../plugins/charts/panels/failure.js'
import { all, descOf, readSvg, texts, withClass } from '../../read-svg.js'
import { recordOf, viewOf } from '../../view.js'

const draw = (given: Parameters<typeof viewOf>[0]) => readSvg(failure.render(viewOf(given)))

t.test('the eight factors of the newest record, in their order, with values', t => {
  const svg = draw({ health: [recordOf(600, { factors: { material: 1 } }), recordOf(60)] })
  const labels = texts(svg).join(' ')
  t.match(labels, 'Material 4 % Platform 14 % Progress 15 % Anomaly 42 % Thermal 0 % Humidity 30 %')
  t.match(descOf(svg), /Risk at \d\d:\d\d: Material 4 %, .* Settings 10 %\./)
  t.equal(all(svg, 'circle').length, 8)
  t.end()
})

t.test('without records each factor stands in the middle, and it says so', t => {
  const svg = draw({})
  t.ok(texts(svg).includes('Risk by factor: no health data yet'))
  t.equal(withClass(svg, 'path', 'd').length, 1, 'a dashed outline')
  t.match(descOf(svg), 'the shape is a placeholder')
  t.end()
})

t.test('factors that are missing or no shares do not break the outline', t => {
  const svg = draw({ health: [recordOf(60, { factors: { material: NaN, platform: 7, progress: -3 } })] })
  t.notMatch(withClass(svg, 'path', 'a')[0]?.attributes.d, /NaN|Infinity/)
  t.end()
})

t.test('time in each state, longest first', t => {
  const svg = draw({ durations: { PREPARE: 95, RUNNING: 4500, PAUSE: 0, FAILED: 20 } })
  t.same(texts(svg).filter(text => /^(Running|Prepare|Pause|Failed)/.test(text)), ['Running 1 h 15', 'Prepare 2 min', 'Failed 20 s'])
  t.match(descOf(svg), 'Time in each job state, 1 h 17 min in all: Running 1 h 15 min, Prepare 2 min, Failed 20 s.')
  t.end()
})

t.test('a single state is a whole ring', t => {
  const svg = draw({ durations: { IDLE: 1800 } })
  const [ring] = all(svg, 'path').filter(({ attributes }) => attributes['fill-rule'] === 'evenodd')
  t.equal(ring?.attributes.class, 'm')
  t.end()
})

t.test('slices that are nearly everything or nearly nothing', t => {
  const svg = draw({ durations: { RUNNING: 1e9, PAUSE: 1e-9, IDLE: NaN } })
  t.notMatch(JSON.stringify(svg), /NaN|Infinity/)
  t.match(descOf(svg), 'Running')
  t.end()
})

t.test('no states yet', t => {
  t.ok(texts(draw({})).includes('no state data yet'))
  t.ok(texts(draw({ durations: { RUNNING: 0 } })).includes('no state data yet'))
  t.end()
})

t.test('states nobody knows are shown, escaped, and only so many', t => {
  const strange = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`<img src=x${at}>`, 10 + at]))
  const text = failure.render(viewOf({ durations: { ...strange, '': 5 } }))
  t.notMatch(text, '<img')
  t.equal(texts(readSvg(text)).filter(line => line.includes('img') || line.includes('…')).length, 6)
  t.match(descOf(readSvg(text)), 'Unknown 5 s')
  t.end()
})
