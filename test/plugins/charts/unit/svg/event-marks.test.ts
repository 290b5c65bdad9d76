import t from 'tap'
import { drawMarks, heightOf, placeLabels } from '../../../../../plugins/charts/svg/event-marks.js'
import { widthOf } from '../../../../../plugins/charts/svg/tag.js'
import { NOW_S } from '../../view.js'

const BAND = { x: 46, width: 320, top: 60, bottom: 270, time: [NOW_S - 3600, NOW_S] as const }
const marksAt = (...ages: number[]) => ages.map(age => ({ t: NOW_S - age, label: `Nozzle → ${age}°C` }))

t.test('labels never cover each other nor leave the plot', t => {
  const marks = marksAt(...Array.from({ length: 60 }, (_, at) => 3590 - at * 60))
  const placed = placeLabels(marks, BAND)
  t.ok(placed.length >= 3)
  const stretches = placed.map(({ text, x, row, anchor }) => {
    const width = widthOf(text, 12) + 4
    return { row, from: anchor === 'start' ? x : x - width, to: anchor === 'start' ? x + width : x }
  })
  for (const [at, a] of stretches.entries()) {
    t.ok(a.from >= BAND.x - 0.1 && a.to <= BAND.x + BAND.width + 0.1)
    for (const b of stretches.slice(at + 1)) t.ok(a.row !== b.row || a.to <= b.from || b.to <= a.from)
  }
  t.end()
})

t.test('changes at one moment stand in rows', t => {
  const placed = placeLabels(marksAt(100, 100, 100), BAND)
  t.equal(placed.length, 3)
  t.equal(new Set(placed.map(({ row }) => row)).size, 3)
  t.equal(heightOf(placed), 39)
  t.end()
})

t.test('the newest mark has its label', t => {
  const placed = placeLabels(marksAt(3000, 2990, 2980, 2970, 2960, 10), BAND)
  t.match(placed[0]?.text, '10°C')
  t.equal(placed[0]?.anchor, 'end', 'at the right edge it stands on the left')
  t.end()
})

t.test('a mark without a label is a short line', t => {
  const marks = marksAt(3000, 2999, 2998, 2997, 2996)
  const placed = placeLabels(marks, BAND).slice(0, 1)
  const svg = drawMarks(marks.slice(0, 1).concat(marksAt(5)), placed, BAND)
  t.match(svg, /V270/)
  t.match(svg, /V79/, 'top, one row, six units')
  t.end()
})

t.test('no marks, nothing drawn', t => {
  t.equal(drawMarks([], [], BAND), '')
  t.equal(heightOf([]), 0)
  t.end()
})

t.test('labels from outside are escaped and cut', t => {
  const marks = [{ t: NOW_S - 1800, label: `<script>${'x'.repeat(500)}` }]
  const svg = drawMarks(marks, placeLabels(marks, BAND), BAND)
  t.notMatch(svg, '<script')
  t.ok(svg.length < 400)
  t.end()
})
