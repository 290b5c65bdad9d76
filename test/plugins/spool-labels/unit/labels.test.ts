import { join } from 'node:path'
import t from 'tap'
import { drawLabel, textsOf, type LabelContent } from '../../../../plugins/spool-labels/draw-label.js'
import { fitText, plainText } from '../../../../plugins/spool-labels/fit-text.js'
import { labelsOn, layOutPage, pagesFor, placeOnSheet } from '../../../../plugins/spool-labels/lay-out-sheet.js'
import { renderPdf } from '../../../../plugins/spool-labels/render-pages.js'
import { SHEETS } from '../../../../plugins/spool-labels/sheets.data.js'
import { openFont, Typeface } from '../../../../plugins/spool-labels/typeface.js'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const inter = await openFont(join(ROOT, 'plugins', 'shell', 'page', 'inter.woff2'))
if (inter === undefined) throw new Error('no font')
const face = new Typeface(inter, async () => [])

const LABEL: LabelContent = {
  id: 's1a2b3c4',
  name: 'Grün fürs Büro',
  material: 'PLA',
  brand: 'Prusament',
  color: '#3d3e3d',
  nozzleC: [205, 225],
  bedC: 60,
  netGrams: 1000,
  address: 'http://192.168.178.25:49152/spools/s1a2b3c4'
}

/** Corners of what a path encloses; a path holds absolute commands only. */
function boundsOf (path: string): { left: number, top: number, right: number, bottom: number } {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (const [, command = '', args = ''] of path.matchAll(/([MLQCHVZ])([^MLQCHVZ]*)/g)) {
    const numbers = args.match(/-?[\d.]+(e-?\d+)?/g)?.map(Number) ?? []
    if (command === 'H') xs.push(...numbers)
    else if (command === 'V') ys.push(...numbers)
    else numbers.forEach((value, at) => (at % 2 === 0 ? xs : ys).push(value))
  }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

const HOSTILE = [
  '\u0000\u0007\u001b[31mred', '\u202Egnp.exe\u202C', '😀🇩🇪👩‍👩‍👧', 'עברית العربية', 'a'.repeat(5_000), 'W'.repeat(60),
  '\ud800', '</svg><script>', '")) Tj (', '\u0301\u0301\u0301', ' \n\t ', '', '漢字'.repeat(50), 'ﷺ'.repeat(40)
]

t.test('a label stays within its place, whatever it says and however small it is', async t => {
  for (const sheet of SHEETS) {
    const { x, y, width, height } = placeOnSheet(sheet, labelsOn(sheet) - 1)
    for (const text of ['Galaxy Black', ...HOSTILE]) {
      const label = { ...LABEL, name: text, brand: text, material: text, id: text.slice(0, 64) }
      await face.prepare(Object.values(textsOf(label)))
      for (const { path, fill } of drawLabel(face, label, { x, y, width, height }).filter(({ path }) => path !== '')) {
        const { left, top, right, bottom } = boundsOf(path)
        const isInside = left >= x - 0.01 && top >= y - 0.01 && right <= x + width + 0.01 && bottom <= y + height + 0.01
        if (!isInside) t.fail(`${sheet.id}: '${text.slice(0, 20)}' reaches ${left} ${top} ${right} ${bottom}`)
        if (!/^#[0-9a-f]{6}$/i.test(fill)) t.fail(fill)
        if (/NaN|Infinity|undefined/.test(path)) t.fail(path.slice(0, 100))
      }
    }
  }
  t.pass()
})

t.test('labels of a sheet lie on the page, beside each other', async t => {
  for (const sheet of SHEETS) {
    const places = Array.from({ length: labelsOn(sheet) }, (_, at) => placeOnSheet(sheet, at))
    const [width, height] = sheet.page
    const isOnPage = (place: ReturnType<typeof placeOnSheet>) => place.x >= 0 && place.y >= 0 &&
      place.x + place.width <= width + 1e-9 && place.y + place.height <= height + 1e-9
    t.ok(places.every(isOnPage), sheet.id)
    t.ok(sheet.pitch[0] >= sheet.label[0] && sheet.pitch[1] >= sheet.label[1], sheet.id)
    const last = places.at(-1)
    t.ok(Math.abs(width - (last?.x ?? 0) - sheet.label[0] - sheet.first[0]) < 1.1, `${sheet.id} is centred`)
  }
})

t.test('labels begin at the first free position and go on on further pages', async t => {
  const sheet = SHEETS.find(({ id }) => id === 'avery-3474')
  if (!sheet) throw new Error('no sheet')
  const labels = Array.from({ length: 24 }, () => LABEL)
  t.equal(pagesFor(sheet, 24, 1), 1)
  t.equal(pagesFor(sheet, 24, 2), 2)
  const drawnOn = (page: number) =>
    layOutPage(face, { sheet, labels, start: 23 }, page).map(({ path }) => boundsOf(path))
  t.ok(drawnOn(1).every(({ left, top }) => left >= 70 && top >= 259), 'the first page has the last two places')
  t.equal(drawnOn(2).length, drawnOn(1).length / 2 * 22)
  t.same(layOutPage(face, { sheet, labels, start: 23 }, 3), [])
})

t.test('text is shrunk, then broken, then cut with an ellipsis', async t => {
  const room = { width: 30, size: 5, smallest: 3 }
  t.same(fitText(face, 'PLA', room), { lines: ['PLA'], size: 5 })
  const shrunk = fitText(face, 'Prusament PLA', room)
  t.same(shrunk.lines, ['Prusament PLA'])
  t.ok(shrunk.size < 5 && shrunk.size >= 3)
  const [cut = ''] = fitText(face, 'Engineering filament with fibre', room).lines
  t.match(cut, /^Engineering.*…$/)
  t.ok(face.widthOf(cut) * 3 <= 30)
  t.same(fitText(face, 'Galaxy Black', { ...room, width: 20, lines: 2 }).lines, ['Galaxy', 'Black'])
  const [first = '', second = ''] = fitText(face, 'One two three four five six seven eight nine ten', { ...room, lines: 2 }).lines
  t.ok(first.length > 0 && second.endsWith('…'), `${first} / ${second}`)
  t.same(fitText(face, 'W'.repeat(40), { ...room, lines: 2 }).lines.map(line => face.widthOf(line) * 3 <= 30), [true, true])
})

t.test('what is not drawn is taken out', async t => {
  t.equal(plainText('a\u202Eb\u0000c\u200Dd\uFE0F\n e'), 'abcd e')
  t.equal(plainText('👍🏽'), '👍')
  t.equal(plainText('e\u0301'), 'é')
  t.equal([...plainText('漢'.repeat(5_000))].length, 120)
})

t.test('letters without a font are named, and are a box', async t => {
  t.same(await face.prepare(['Grün', 'für', 'PLA 漢字', '😀', 'עב']), ['漢', '字', '😀', 'ע', 'ב'])
  t.equal(face.outline('漢', 0, 0, 1), face.outline('字', 0, 0, 1))
  t.not(face.outline('ü', 0, 0, 1), face.outline('u', 0, 0, 1))
  let reads = 0
  const lazy = new Typeface(inter, async () => { reads++; return [] })
  await lazy.prepare(['Grün'])
  t.equal(reads, 0, 'other fonts are read when they are needed')
  await lazy.prepare(['漢'])
  await lazy.prepare(['字'])
  t.equal(reads, 1)
})

t.test('no font file is no error', async t => {
  t.equal(await openFont(join(ROOT, 'package.json')), undefined)
  t.equal(await openFont(join(ROOT, 'none.ttf')), undefined)
})

t.test('a document has its pages in their size', async t => {
  const pdf = (await renderPdf([62, 29], [[], [], []])).toString('latin1')
  t.match(pdf, /^%PDF-/)
  t.equal(pdf.match(/\/Type \/Page\b/g)?.length, 3)
  t.match(pdf, /\/MediaBox \[0 0 175\.74\d* 82\.2\d*\]/)
})

const { spoolIn } = await import(new URL('../../../../plugins/spool-labels/page/qr-reader.js', import.meta.url).href) as
  { spoolIn: (text: string) => string | undefined }

t.test('a code names the spool it belongs to, also one with the id of a list', async t => {
  t.equal(spoolIn('http://192.168.1.5:49152/spools/s1a2b3c4'), 's1a2b3c4')
  t.equal(spoolIn('http://192.168.1.5:49152/spools/box.7%3A2'), 'box.7:2')
  t.equal(spoolIn('http://192.168.1.5:49152/spools/box.7:2?from=label'), 'box.7:2')
  t.equal(spoolIn(' spoolman-4 '), 'spoolman-4')
  for (const text of ['http://192.168.1.5/spools/..', 'http://192.168.1.5/', 'red filament', '']) t.equal(spoolIn(text), undefined, text)
})
