import t from 'tap'
import { CATALOGUE, familyOf, filamentById, findFilaments } from '../../../plugins/filament/catalogue.js'
import { CAUTIOUS, FAMILIES } from '../../../plugins/filament/families.data.js'
import { flaws, shape } from '../../contract/rows.js'
import { boot } from '../../helpers/boot-features.js'

const ENTRY = shape(`
  tray_info_idx: string, name: string, vendor: string, filament_type: string, nozzle_temperature: integer,
  nozzle_temperature_range_low: integer, nozzle_temperature_range_high: integer, nozzle_temp_min: integer,
  nozzle_temp_max: integer, hot_plate_temp: integer, drying_temp: object, drying_time: object`)

t.test('every entry is whole and makes sense', async t => {
  t.ok(CATALOGUE.length >= 90, `${CATALOGUE.length} filaments`)
  t.equal(new Set(CATALOGUE.map(({ tray_info_idx: id }) => id)).size, CATALOGUE.length, 'ids are unique')
  for (const filament of CATALOGUE) {
    const { name, nozzle_temp_min: low, nozzle_temp_max: high, nozzle_temperature: usual } = filament
    const { nozzle_temperature_range_low: lowest, nozzle_temperature_range_high: highest } = filament
    const { hot_plate_temp: plate, density_g_cm3: density } = filament
    t.same(flaws(filament, ENTRY), [], name)
    const sensible = [
      low <= usual && usual <= high && low >= 150 && high <= 400,
      lowest === low && highest === high,
      plate >= 0 && plate <= 120,
      density === null || (density > 0.7 && density < 3),
      /^\S{3,}$/.test(filament.tray_info_idx)
    ]
    t.same(sensible, sensible.map(() => true), name)
  }
})

t.test('drying stays within what each unit can do', async t => {
  for (const [name, { dryC, dryHours, plateC }] of [...Object.entries(FAMILIES), ['cautious', CAUTIOUS] as const]) {
    t.ok(dryC.AMS_2_PRO >= 45 && dryC.AMS_2_PRO <= 65, `${name} in an AMS 2 Pro`)
    t.ok(dryC.AMS_HT >= 45 && dryC.AMS_HT <= 85, `${name} in an AMS HT`)
    t.ok(dryHours.AMS_2_PRO >= 1 && dryHours.AMS_HT >= 1 && dryHours.AMS_2_PRO <= 48)
    t.ok(plateC > 0)
  }
})

t.test('the family of a type', async t => {
  for (const [type, family] of [['PLA', 'PLA'], ['PLA-CF', 'PLA'], ['PA6-CF', 'PA'], ['PA-GF', 'PA'], ['PETG', 'PETG'],
    ['PET-CF', 'PET'], ['TPU 90A', 'TPU'], ['PPS-CF', 'PPS']] as const) t.equal(familyOf(type), FAMILIES[family], type)
  for (const type of ['', 'Mystery', 'pla']) t.equal(familyOf(type), CAUTIOUS, `'${type}'`)
})

t.test('by type: exact, without regard to case', async t => {
  const pla = findFilaments('pla', '')
  t.ok(pla.length > 5 && pla.every(({ filament_type: type }) => type === 'PLA'))
  t.same(findFilaments(' PLA ', ''), pla)
  t.same(findFilaments('PL', ''), [], 'not a part of it')
  t.same(findFilaments('no such type', ''), [])
})

t.test('by text: part of id, name or vendor', async t => {
  for (const [part, test] of [
    ['gfa0', ({ id }: Said) => id.includes('gfa0')], ['basic', ({ name }: Said) => name.includes('basic')],
    ['POLY', (said: Said) => Object.values(said).some(text => text.includes('poly'))]
  ] as const) {
    const found = findFilaments('', part)
    t.ok(found.length > 0, part)
    t.ok(found.every(({ tray_info_idx: id, name, vendor }) =>
      test({ id: id.toLowerCase(), name: name.toLowerCase(), vendor: vendor.toLowerCase() })), part)
  }
  t.same(findFilaments('', '.*'), [], 'it is no pattern')
  t.ok(findFilaments('PLA', 'basic').length < findFilaments('', 'basic').length, 'both at once')
})
interface Said { readonly id: string, readonly name: string, readonly vendor: string }

t.test('nothing asked is everything', async t => {
  t.equal(findFilaments('', ''), CATALOGUE)
  t.equal(findFilaments('  ', ' '), CATALOGUE)
  t.match(filamentById('GFA00'), { name: 'Bambu PLA Basic', vendor: 'Bambu Lab', filament_type: 'PLA' })
  t.equal(filamentById('gfa00'), undefined)
})

interface Page {
  readonly count: number
  readonly total?: number
  readonly filaments: unknown[]
  readonly next_cursor?: string
}

t.test('route and tool', async t => {
  const { kernel, tool } = await boot(t, { models: [] })
  const first = await kernel.app.inject('/api/filament_catalog')
  t.same(first.json(), CATALOGUE, 'all of it, whatever is asked')
  t.same((await kernel.app.inject('/api/filament_catalog?filament_type=PLA&search=x')).body, first.body)
  const page = async (args: Readonly<Record<string, string>>) => (await tool('get_filament_catalog', args)).value as Page
  const pages = [await page({})]
  for (let next = pages[0]?.next_cursor; next !== undefined; next = pages.at(-1)?.next_cursor) {
    pages.push(await page({ cursor: next }))
  }
  t.ok(pages.length > 1, 'it is too long for one answer')
  for (const { count, total, filaments } of pages) t.same([count, total], [filaments.length, CATALOGUE.length])
  t.same(pages.flatMap(({ filaments }) => filaments), CATALOGUE, 'every page after the other')
  t.same(await page({ filament_type: 'abs' }), { count: findFilaments('ABS', '').length, filaments: findFilaments('ABS', '') })
  t.same(await page({ filament_type: 'ABS', search: 'GFA00' }), { count: 0, filaments: [] })
})
