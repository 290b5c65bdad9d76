import t from 'tap'
import { numberStyleOf, readColors, readNumber, readTime } from '../../../../plugins/spools/transfer/read-cells.js'
import { exportSpools } from '../../../../plugins/spools/transfer/export.js'
import { planImport } from '../../../../plugins/spools/transfer/plan-import.js'
import { readRecords } from '../../../../plugins/spools/transfer/records.js'
import { readSource } from '../../../../plugins/spools/transfer/source-rows.js'
import type { Existing } from '../../../../plugins/spools/inventory-store.js'
import { NO_DETAILS } from '../../../../plugins/spools/tables.js'

const read = (text: string) => readRecords(readSource(text))
const NOTHING: Existing = { types: [], places: [], spools: [] }
const made = { by: 'Ann', at: 1_000 }
const plan = (text: string, existing = NOTHING) => planImport(read(text).records, existing, made)
/** What there is after an import. */
function after (text: string, existing = NOTHING): Existing {
  const { types, places, spools, changes } = plan(text, existing)
  const used = (id: string, before: number) => changes.filter(({ spool, kind }) => spool === id && kind !== 'net').reduce((sum, { grams }) => sum - grams, before)
  const changed = new Map(spools.map(spool => [spool.id, { ...spool, used: used(spool.id, spool.used) }]))
  return {
    types: [...existing.types, ...types],
    places: [...existing.places, ...places],
    spools: [...new Map([...existing.spools, ...changed.values()].map(spool => [spool.id, spool])).values()]
  }
}
const textOf = async (existing: Existing, format: 'csv' | 'json') => {
  let text = ''
  for await (const part of exportSpools(existing, format, text => text)) text += String(part)
  return text
}

t.test('a list of a spreadsheet: byte order mark, semicolons, decimal commas, German words', async t => {
  const text = '\uFEFFMarke;Material;Farbe;Gewicht;Restgewicht;Lagerort;Preis;Durchmesser\r\nPrusament;PETG;#ea5e1a;1.000;412,5;"Regal 3; oben";29,99;1,75\r\n'
  const { records, problems, format } = read(text)
  t.same(problems, [])
  t.equal(format, 'list')
  t.match(records, [{
    row: 2, brand: 'Prusament', material: 'PETG', colors: ['#EA5E1A'], net_g: 1000, left_g: 412.5, place: 'Regal 3; oben', price: 29.99, diameter_mm: 1.75
  }])
  t.match(plan(text), { added: 1, places: [{ name: 'Regal 3; oben', kind: 'shelf' }], types: [{ brand: 'Prusament', price: 29.99 }], changes: [{ grams: -587.5 }] })
  t.match(read('sep=;\nmaterial;net_g\nPLA;750\n').records, [{ row: 3, net_g: 750 }], 'a line that names the separator')
})

t.test('what cannot be read is said by line and column, in words', async t => {
  const { records, problems, ignored } = read([
    'id,material,net_g,bought_at,colour of the box,archived', 'a,PLA,1000,2026-11-02,red,no', 'b,,1000,,,', 'c,PLA,much,,,', 'd,PLA,"250 g",11/12/2026,,',
    'a,PLA,1,,,', 'e,PLA,0.5 kg,30.2.2026,,maybe', 'f,PLA,1,,,,,more', '"g"" ,PLA'
  ].join('\n'))
  t.same(records.map(({ id }) => id), ['a'])
  t.same(ignored, ['colour of the box'])
  t.same(problems.map(({ line, column, reason }) => `${line} ${column}: ${reason}`), [
    '3 material: the material is missing',
    '4 net_g: this is no number',
    '5 bought_at: this may be one of two days: write it as 2026-11-30',
    '6 id: the same id as in line 2',
    '7 bought_at: this is no day: write it as 2026-11-30',
    '7 archived: it must be true or false',
    '8 : the row has more cells than the first line has columns',
    '9 : a quotation mark opens here and is never closed: nothing after it can be read'
  ])
})

t.test('numbers: the list shows how they are written', async t => {
  const limits = { minimum: 0, maximum: 100_000, scales: true }
  const value = (text: string, style: 'dot' | 'comma' | 'unknown') => {
    const number = readNumber(text, style, limits)
    return 'value' in number ? number.value : number.reason
  }
  t.equal(numberStyleOf(['412.125'], ','), 'dot')
  t.equal(numberStyleOf(['1.000', '12,5'], ';'), 'comma')
  t.equal(numberStyleOf(['1.000', '12.5'], ';'), 'dot')
  t.equal(numberStyleOf(['1.000', '12'], ';'), 'unknown')
  t.same([value('412.125', 'dot'), value('1,000', 'dot'), value('1.000', 'comma'), value('1.234,5', 'dot'), value('1.75', 'comma'), value('0,75', 'unknown')],
    [412.125, 1000, 1000, 1234.5, 1.75, 0.75])
  t.match(value('1.000', 'unknown'), /this may mean 1000 or 1/)
  t.same([value('1 kg', 'dot'), value("1'250 g", 'dot'), value('29 €', 'dot')], [1000, 1250, 29])
  for (const text of ['', 'x', '1e5', '1.2.3', '--1', '0x10', 'NaN', '12 lb']) t.equal(value(text, 'dot'), 'this is no number', text)
  t.match(value('-1', 'dot'), /from 0/)
  t.equal(value(`€${' '.repeat(60)}1`, 'dot'), 'this is no number', 'a long text is not searched for one')
  t.same(readColors('ff0000,#00ff00ff red'), ['#FF0000', '#00FF00'])
  t.same(readTime('2024-01-02 10:11:12.5'), { value: Date.UTC(2024, 0, 2, 10, 11, 12, 500) })
  t.same(readTime('24/12/2026'), { value: Date.UTC(2026, 11, 24, 12) })
})

t.test("Spoolman's lists, as CSV and as JSON, become the same spool", async t => {
  const csv = 'archived,comment,filament.color_hex,filament.density,filament.material,filament.name,filament.spool_weight,filament.vendor.name,filament.weight,id,location,lot_nr,used_weight,first_used\n' +
    'False,dry,1A2B3C,1.27,PETG,Galaxy,193,Prusament,1000,4,Shelf,L7,250.125,2024-01-02 10:00:00\n'
  const json = JSON.stringify([{
    id: 4,
    archived: false,
    comment: 'dry',
    location: 'Shelf',
    lot_nr: 'L7',
    used_weight: 250.125,
    first_used: '2024-01-02T10:00:00Z',
    filament: { color_hex: '1A2B3C', density: 1.27, material: 'PETG', name: 'Galaxy', spool_weight: 193, weight: 1000, vendor: { name: 'Prusament' } }
  }])
  for (const text of [csv, json]) {
    t.equal(read(text).format, 'spoolman')
    t.match(plan(text), {
      added: 1,
      spools: [{ id: 'spoolman-4', name: 'Prusament Galaxy', color: '#1A2B3C', net: 1000, lot: 'L7', notes: 'dry', opened_at: Date.UTC(2024, 0, 2, 10) }],
      types: [{ brand: 'Prusament', line: 'Galaxy', empty: 193, density: 1.27 }],
      changes: [{ kind: 'imported', grams: -250.125 }]
    })
  }
  t.match(plan(json, after(csv)), { added: 0, changed: 0, unchanged: 1 })
  const other = 'id,brand,material,material_type,color,rgb,location,remaining_grams\nab-1,eSUN,PLA,Silk,Gold,#FFD700,Box,600\n'
  t.equal(read(other).format, '3dfilamentprofiles')
  t.match(plan(other), { spools: [{ id: '3dfp-ab-1', color: '#FFD700', net: 600 }], types: [{ line: 'Silk', color_name: 'Gold' }] })
})

t.test('an export is imported again without any change, and a changed row changes its spool only', async t => {
  const list = 'id,brand,material,color,net_g,left_g,place,notes\n1,A,PLA,#111111,1000,900.25,Box,"=1+1"\n2,A,PLA,#222222,1000,0,Box,\n3,,PETG,,,,,\n'
  const first = after(list)
  for (const format of ['csv', 'json'] as const) {
    const text = await textOf(first, format)
    t.match(plan(text, first), { added: 0, changed: 0, unchanged: 3, types: [], places: [], changes: [] }, format)
    if (format === 'csv') t.match(text, /,'=1\+1\r\n/, 'no formula for a spreadsheet')
    t.match(planImport(readRecords(readSource(text.replace('900.25', '850'))).records, first, made),
      { changed: 1, unchanged: 2, changes: [{ spool: '1', kind: 'imported', expected: 900.25 }] }, format)
  }
  const overdrawn = { ...first, spools: [{ ...NO_DETAILS, id: 'x', name: 'x', material: 'PLA', color: '', tag: '', net: 100, used: 130, archived: 1, archived_at: 5, created_at: 0 }] }
  t.match(plan(await textOf(overdrawn, 'csv'), overdrawn), { unchanged: 1 }, 'more was used than there was')
})

t.test('rows without ids get the same ones again', async t => {
  const list = 'brand,material,color,net_g,left_g\nA,PLA,#111111,1000,900\nA,PLA,#111111,1000,800\n'
  const first = after(list)
  t.equal(first.spools.length, 2)
  t.equal(first.types.length, 1)
  t.match(plan(list, first), { added: 0, unchanged: 2 })
  t.match(plan(list.replace('800', '700'), first), { changed: 1, unchanged: 1 })
})

t.test('a list that is too long or too wide is refused, and empty cells are not kept', async t => {
  const BLANK = ' \n'
  t.throws(() => readSource(`material\n${BLANK.repeat(50_000)}PLA\n`), { code: 'PRN_ERR_BAD_INPUT', message: /more than 50000 rows/ }, 'the last row is not left out')
  t.throws(() => readSource(`[${'1,'.repeat(50_000)}1]`), { code: 'PRN_ERR_BAD_INPUT', message: /more than 50000 rows/ })
  const wide = (columns: number) => `material,${Array.from({ length: columns - 1 }, (_, at) => `c${at}`).join(',')}\nPLA\n`
  t.throws(() => readSource(wide(201)), { code: 'PRN_ERR_BAD_INPUT', message: /201 columns; 200 are read/ })
  t.same(Object.keys(readSource(wide(200)).rows[0]?.cells ?? {}), ['material'])
  t.same(readSource('material,id,material\nPETG,a,PLA\n,b,PLA\n').rows.map(({ cells }) => ({ ...cells })), [{ material: 'PETG', id: 'a' }, { id: 'b' }], 'the first of two columns')
  t.same(readSource(JSON.stringify([{ material: 'PLA', [`x${'x'.repeat(200)}`]: { one: 1, two: 2 } }])).columns, ['material'])
})

t.test('what people changed of an imported type or place stays when the list is imported again', async t => {
  const list = 'id,brand,line,material,color,net_g,left_g,price,place\na,A,Basic,PLA,#111111,1000,900,20,Box\n'
  const first = after(list)
  const edited = {
    ...first,
    types: first.types.map(type => ({ ...type, line: 'Basic+', density: 1.3 })),
    places: first.places.map(place => ({ ...place, name: 'Box by the door' }))
  }
  t.match(plan(list, edited), { types: [], places: [], changed: 0, unchanged: 1 })
  const two = plan(`${list}b,A,Basic,PLA,#111111,1000,900,20,Box\n`, edited)
  t.match(two, { added: 1, spools: [{ type: first.types[0]?.id, place: first.places[0]?.id }] })
  t.same([two.types, two.places], [[], []])
})

t.test('more than a full spool, ids of pages, tags of Spoolman, and rows copied without an id', async t => {
  const first = after('id,material,net_g,left_g\na,PLA,1000,900\n')
  const heavy = { ...first, spools: first.spools.map(spool => ({ ...spool, used: -50 })) }
  for (const format of ['csv', 'json'] as const) {
    const text = await textOf(heavy, format)
    t.same(read(text).problems, [], format)
    t.match(plan(text, heavy), { unchanged: 1, changes: [] }, format)
  }
  for (const id of ['labels', 'scan', 'tags']) t.match(read(`id,material\n${id},PLA\n`).problems, [{ column: 'id', reason: /no word of the interface/ }], id)

  const spoolman = (tag: string) => read(JSON.stringify([{ id: 4, filament: { material: 'PLA' }, extra: { tag } }]))
  t.match(spoolman('"04a2 b1"'), { problems: [], records: [{ tag: '04A2B1' }] })
  t.match(spoolman('""'), { problems: [], records: [{ tag: undefined }] })
  t.match(read('id,material,net_g,left_g,tag\na,PLA,1000,900,ab12\n').records, [{ tag: 'ab12' }], 'our own list comes back the same')

  const [row] = plan('material,net_g\nPLA,1000\n').spools
  const copied = `id,material,net_g\n${row?.id},PLA,1000\n,PLA,1000\n`
  t.equal(new Set(plan(copied).spools.map(({ id }) => id)).size, 2)
  t.match(plan(copied, after('material,net_g\nPLA,1000\n')), { added: 1 })
})

t.test('whatever a file holds, it is read or refused in words', async t => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  const PARTS = ['"', ';', ',', '\n', '\r\n', '\t', '=', '-', '\uFEFF', '\u0000', '{', '[', ']', ':', 'é', '1e9', '__proto__', '""', ' ', 'id', '😀', '.', '12,5']
  const files = [
    'id,brand,material,color,net_g,left_g,bought_at,archived\n1,A,PLA,#111111,1000,900,2026-01-02,no\n2,B,"PE""TG",222222,750,1,,yes\n',
    'Marke;Material;Gewicht\nA;PLA;1.000,5\nB;"PETG\nmatt";750\n',
    '[{"id":"1","material":"PLA","net_g":1000,"filament":{"vendor":{"name":"A"}}}]'
  ]
  let refused = 0
  for (let round = 0; round < 2_000; round++) {
    let text = files[round % files.length] ?? ''
    for (let step = random(6); step >= 0; step--) {
      const at = random(text.length + 1)
      const part = PARTS[random(PARTS.length)] ?? ''
      text = text.slice(0, at) + (random(2) === 0 ? part + text.slice(at) : text.slice(at + random(9)))
    }
    try {
      const { records, problems } = read(text)
      for (const { line, reason } of problems) if (!(line >= 1) || reason === '') throw new Error(`a problem without line or words: ${JSON.stringify(text)}`)
      const { spools, changes } = planImport(records, NOTHING, made)
      const numbers = [...spools.map(({ net }) => net ?? 0), ...changes.map(({ grams }) => grams)]
      if (!numbers.every(Number.isFinite)) throw new Error(`no number: ${JSON.stringify(text)}`)
      for (const { id } of spools) if (!/^[A-Za-z0-9][\w.:-]{0,63}$/.test(id)) throw new Error(`id ${id}`)
    } catch (error) {
      if ((error as { code?: string }).code !== 'PRN_ERR_BAD_INPUT') throw error
      refused++
    }
  }
  t.ok(refused > 10 && refused < 1_500, `some were refused as a whole: ${refused}`)
})
