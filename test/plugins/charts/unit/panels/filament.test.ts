import t from 'tap'
import filament from '../../../../../plugins/charts/panels/filament.js'
import { all, descOf, readSvg, texts, withClass } from '../../read-svg.js'
import { stateOf, viewOf } from '../../view.js'

type Raw = Record<string, unknown>
const tray = (id: number, more: Raw = {}): Raw =>
  ({ id: String(id), tray_type: 'PLA', tray_sub_brands: 'PLA Basic', tray_color: 'F5C518FF', remain: 64, ...more })
const unit = (id: number, trays: readonly Raw[], humidity = '5'): Raw => ({ id: String(id), humidity, tray: trays })
const report = (units: readonly Raw[], ams: Raw = {}): Raw =>
  ({ ams: { ams: units, tray_now: '255', ...ams }, vt_tray: { id: '254', tray_type: '' } })
const draw = (raw: Raw, model = 'X1C') => readSvg(filament.render(viewOf({ state: stateOf(raw, model), model })))

t.test('a bar for each loaded spool: place, material, colour, what is left', t => {
  const other = tray(2, { tray_sub_brands: '', tray_type: 'PETG', tray_color: '000000FF', remain: 100 })
  const svg = draw(report([unit(0, [tray(0), other])]))
  t.same(texts(svg).slice(1), ['A1 PLA Basic', '64 %', 'A3 PETG', '100 %'])
  t.match(all(svg, 'rect').map(({ attributes }) => attributes.fill), [undefined, '#F5C518', undefined, '#F5C518'])
  t.match(descOf(svg), 'A1 PLA Basic: 64 % left. A3 PETG: 100 % left.')
  t.end()
})

t.test('white and black show on any background: every colour has an outline', t => {
  const svg = draw(report([unit(0, [tray(0, { tray_color: 'FFFFFFFF' }), tray(1, { tray_color: '000000FF' })])]))
  t.equal(withClass(svg, 'rect', 'o').length, 4, 'swatch and bar of both')
  t.equal(withClass(svg, 'path', 'o').length, 2, 'and a line that shows the whole length')
  t.end()
})

t.test('unknown amounts are said to be unknown', t => {
  const svg = draw(report([unit(0, [tray(0, { remain: -1 }), tray(1, { remain: 400 })])]))
  t.equal(texts(svg).filter(text => text === 'unknown').length, 2)
  t.match(descOf(svg), 'A1 PLA Basic: remaining amount unknown.')
  t.ok(withClass(svg, 'path', 'o').every(({ attributes }) => attributes['stroke-dasharray'] === '2 3'))
  t.end()
})

t.test('little filament is told apart, none is an empty bar', t => {
  const svg = draw(report([unit(0, [tray(0, { remain: 10 }), tray(1, { remain: 0, tag_uid: 'DE6CF07300000100' }), tray(2, { remain: 11 })])]))
  t.same(withClass(svg, 'text', 'w').map(({ text }) => text), ['10 %', '0 %'])
  t.end()
})

t.test('a spool without a tag is not empty because the printer says 0', t => {
  const svg = draw(report([unit(0, [tray(0, { remain: 0 })])]))
  t.match(descOf(svg), 'A1 PLA Basic: remaining amount unknown.')
  t.same(texts(svg).slice(1), ['A1 PLA Basic', 'unknown'])
  t.same(withClass(svg, 'text', 'w'), [], 'and no warning')
  t.end()
})

t.test('several colours stand side by side', t => {
  const cols = ['FF0000FF', '00FF00FF', '0000FFFF']
  const svg = draw(report([unit(0, [tray(0, { cols, remain: -1 })])]))
  t.same(all(svg, 'rect').flatMap(({ attributes }) => attributes.fill ?? []), ['#FF0000', '#00FF00', '#0000FF'])
  t.end()
})

t.test('a colour that is none is no paint', t => {
  const svg = draw(report([unit(0, [tray(0, { tray_color: '"><script>' })])]))
  t.same(all(svg, 'rect').flatMap(({ attributes }) => attributes.fill ?? []), [])
  t.end()
})

t.test('holders and one-slot units have names of their own', t => {
  const raw = report([unit(1, [tray(3)]), unit(128, [tray(0)])])
  const svg = draw({ ...raw, vt_tray: { id: '254', tray_type: 'TPU', remain: 0 } })
  t.same(texts(svg).filter(text => /^[A-Z]/.test(text)).slice(1), ['B4 PLA Basic', 'HT A PLA Basic', 'Ext TPU'])
  t.end()
})

t.test('the spool in use is marked by shape and word', t => {
  const svg = draw(report([unit(0, [tray(0), tray(1)])], { tray_now: '1', tray_tar: '1' }))
  t.equal(withClass(svg, 'path', 'f1').length, 1)
  t.match(descOf(svg), 'A1 PLA Basic: 64 % left. A2 PLA Basic: 64 % left, in use.')
  t.end()
})

t.test('damp units are named, dry ones and those without sensor are not', t => {
  const units = ['1', '3', '2', '0'].map((humidity, id) => unit(id, [tray(0)], humidity))
  const svg = draw(report(units))
  t.equal(texts(svg).at(-1), 'Humid: A 1 of 5, C 2 of 5 (5 is dry)')
  t.match(descOf(svg), 'Humid: A 1 of 5, C 2 of 5')
  t.notMatch(texts(draw(report([unit(0, [tray(0)], '5')]))).join(), 'Humid')
  t.end()
})

t.test('as many spools as fit, none outside the drawing', t => {
  const units = Array.from({ length: 4 }, (_, id) => unit(id, [0, 1, 2, 3].map(slot => tray(slot)), '1'))
  const svg = draw(report([...units, ...Array.from({ length: 8 }, (_, at) => unit(128 + at, [tray(0)]))]))
  t.equal(texts(svg)[1], '2 more')
  for (const { attributes: { x = '0', y = '0' } } of all(svg, 'text')) {
    t.ok(Number(x) >= 0 && Number(x) <= 400 && Number(y) >= 10 && Number(y) <= 296)
  }
  t.equal(descOf(svg).match(/left/g)?.length, 24, 'whoever listens hears of all')
  t.end()
})

t.test('names from the printer are escaped and cut', t => {
  const hostile = tray(0, { tray_sub_brands: `<script>${'x'.repeat(99)}` })
  const text = filament.render(viewOf({ state: stateOf(report([unit(0, [hostile])])) }))
  t.notMatch(text, '<script')
  t.ok(texts(readSvg(text)).some(line => line.startsWith('A1 <script>x') && line.endsWith('…')))
  t.end()
})

t.test('no spools', t => {
  t.ok(texts(readSvg(filament.render(viewOf()))).includes('no spool data'))
  t.ok(texts(draw({ gcode_state: 'IDLE' })).includes('no spool data'))
  t.ok(texts(draw(report([unit(0, [{ id: '0' }, { id: '1' }])]))).includes('no spool data'))
  t.end()
})
