import t from 'tap'
import { MODELS } from '../../../../core/printer/models.data.js'
import { decode } from '../../../core/printer/helpers/decode.js'

/** The page's modules are written for browsers; these need none. */
type Pure = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>
const pure = async (plugin: 'shell' | 'web', name: string): Promise<Pure> =>
  await import(new URL(`../../../../plugins/${plugin}/page/${name}.js`, import.meta.url).href) as Pure
const of = (module: Pure, name: string) => {
  const found = module[name]
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

const [format, mapping, dialect, history, model, plate] = await Promise.all([
  pure('shell', 'format'), pure('shell', 'mapping'), pure('web', 'dialect'), pure('web', 'history'),
  pure('web', 'model'), pure('web', 'plate')
])

t.test('numbers and words', async t => {
  const minutes = of(format, 'minutesText')
  t.same([0, 59, 60, 125, -1, undefined].map(minutes), ['0 min', '59 min', '1 h 00 min', '2 h 05 min', '–', '–'])
  t.same([0, 999, 2048, 5_000_000, 3e12].map(bytes => of(format, 'sizeText')(bytes)),
    ['0 B', '999 B', '2.0 kB', '4.8 MB', '2794 GB'])
  t.equal(of(format, 'words')('HMS_ERROR_new'), 'Hms error new')
})

t.test('the card is searched by words of a path', async t => {
  const { searched, MOST_FOUND } = await pure('web', 'card-search') as unknown as {
    searched: (tree: object, text: string) => { count: number, nodes: { id: string, where: string }[] } | undefined
    MOST_FOUND: number
  }
  const file = (id: string) => ({ id, name: id.slice(id.lastIndexOf('/') + 1) })
  const tree = {
    id: '/',
    name: '/',
    children: [
      { id: '/Brackets/', name: 'Brackets', children: [file('/Brackets/Left.3mf'), file('/Brackets/note.txt')] },
      { id: '/empty/', name: 'empty', children: [] },
      file('/left over.3mf')
    ]
  }
  const ids = (text: string) => searched(tree, text)?.nodes.map(({ id, where }) => [id, where])
  t.same(ids('LEFT'), [['/Brackets/Left.3mf', '/Brackets/'], ['/left over.3mf', '/']])
  t.same(ids(' left  bracket '), [['/Brackets/Left.3mf', '/Brackets/']])
  t.same(ids('empty'), [['/empty/', '/']], 'folders too')
  t.same(ids('.*'), [], 'it is no pattern')
  t.equal(searched(tree, '  '), undefined, 'nothing searched is the whole card')
  const many = searched({ children: Array.from({ length: MOST_FOUND + 5 }, (_, at) => file(`/${at}.3mf`)) }, '3mf')
  t.match(many, { count: MOST_FOUND + 5, nodes: { length: MOST_FOUND } })
})

t.test('only a colour gets into a style', async t => {
  const color = of(format, 'colorOf')
  t.same(['#EB3A3AFF', 'ffffff', 'black'].map(text => color(text)), ['#eb3a3a', '#ffffff', 'black'])
  t.same(['red;x:y', 'url(http://x)', '#12', '', undefined].map(text => color(text)), Array(5).fill(undefined))
})

t.test('the application for one printer is spoken to in its own way', async t => {
  const adapt = of(dialect, 'adapt')
  t.equal(of(dialect, 'isStandalone')({ '/api/pause_printing': { get: {} } }), true)
  t.equal(of(dialect, 'isStandalone')({ '/api/pause_printing': { post: {} } }), false)
  t.same(adapt('set_speed_level', { level: 'sport' }, true), { level: '3' })
  t.same(adapt('set_speed_level', { level: 'sport' }, false), { level: 'sport' })
  t.same(adapt('print_3mf', { filename: '/a.3mf', platenum: 2, plate: 'hot_plate' }, true),
    { filename: '/a.3mf', platenum: 1, plate: 'HOT_PLATE' })
  t.same(adapt('set_spool_details', { tray_id: 1, tray_color: 'FF0000' }, true), { tray_id: 1, tray_color: '#FF0000' })
  t.same(adapt('pause_printing', {}, true), {})
})

t.test('charts keep an hour, thinned, and end now', async t => {
  const withPoint = of(history, 'withPoint') as (points: readonly object[], point: object) => readonly object[]
  let points: readonly object[] = []
  for (let s = 0; s < 7_200; s++) points = withPoint(points, { t: s, v: s })
  t.ok(points.length <= 1_800, `${points.length} points`)
  t.same(points.at(-1), { t: 7_199, v: 7_199 })
  t.equal(withPoint(points, { t: 8_000, v: NaN }), points, 'what is no number is left out')
  t.equal(withPoint(points, { t: 10, v: 1 }), points, 'and so is what comes late')
  const box = { width: 100, height: 10, from: 0, to: 10, span: 100, now: 100 }
  t.equal(of(history, 'linePath')([{ t: -50, v: 3 }, { t: 50, v: 5 }, { t: 90, v: 99 }], box), 'M50.0 5.0L90.0 0.0L100 0.0')
  t.equal(of(history, 'linePath')([], box), '')
})

t.test('charts of the application for one printer are read back', async t => {
  const axis = { data: [-10, -5, 0] }
  const got = of(history, 'historyOfCharts')({
    tool: { xAxis: axis, series: [{ label: 'Right', data: [1, 2, 3] }, { label: 'Left', data: [4, 5, 6] }] },
    bed: { xAxis: axis, series: { data: [7, 8, 9] } },
    fan: { xAxis: { data: [] }, series: [{ label: 'Auxiliary', data: [] }] }
  }, 100)
  t.same(got, {
    tool: [{ t: 90, v: 1 }, { t: 95, v: 2 }, { t: 100, v: 3 }],
    tool_1: [{ t: 90, v: 4 }, { t: 95, v: 5 }, { t: 100, v: 6 }],
    aux_fan: [],
    bed: [{ t: 90, v: 7 }, { t: 95, v: 8 }, { t: 100, v: 9 }]
  })
})

t.test('a fault looks as serious as the service says it is', async t => {
  const toneOf = of(model, 'toneOf')
  const faults = [0x00010001, 0x00020001, 0x00030001, 0x00040001].map(code => ({ attr: 0x03000100, code }))
  const { errors } = decode({ hms: faults, print_error: 0x0300400C })
  const looks = errors.faults.map(({ severity, critical }) => [severity, toneOf({ severity, is_critical: critical })])
  t.same(looks, [['Info', ''], ['Fatal', 'bad'], ['Error', 'bad'], ['Warning', 'warn'], ['Info', '']])
})

t.test('a job that a person ended has not failed', async t => {
  const view = of(model, 'viewOf') as (doc: object) => { job: { state: string } }
  const jobState = (cancelled: boolean) =>
    view({ _printer_state: { gcode_state: 'FAILED' }, _active_job_info: { cancelled } }).job.state
  t.same([jobState(true), jobState(false)], ['CANCELLED', 'FAILED'])
})

t.test('nothing is left over from the job before', async t => {
  const view = of(model, 'viewOf') as (doc: object) => { job: { stage: string } }
  const stage = (state: string) =>
    view({ _printer_state: { gcode_state: state }, _active_job_info: { stage_id: 14, stage_name: 'Cleaning nozzle tip' } }).job.stage
  t.equal(stage('RUNNING'), 'Cleaning nozzle tip')
  t.same([stage('IDLE'), stage('FINISH'), stage('FAILED')], ['', '', ''])
})

t.test('fans are shown where the model has them', async t => {
  const view = of(model, 'viewOf') as (doc: object) => { fans: { key: string }[] }
  for (const { model: name, auxFan, chamberFan } of MODELS) {
    const keys = view({ _limits: { aux_fan: auxFan, chamber_fan: chamberFan } }).fans.map(({ key }) => key)
    t.same([keys.includes('aux_fan'), keys.includes('exhaust_fan')], [auxFan, chamberFan], name)
  }
})

t.test('equal faults are one', async t => {
  const fault = (code: string) => ({ code, severity: 'Error' })
  const view = of(model, 'viewOf')({ _printer_state: { hms_errors: ['a', 'b', 'a', 'a'].map(fault) } })
  t.match(view, { faults: [{ code: 'a', count: 3 }, { code: 'b', count: 1 }] })
})

t.test('a document that says nothing still makes a view', async t => {
  const view = of(model, 'viewOf')({})
  t.match(view, { model: '', service: 'NO_STATE', isLive: false, job: { state: 'UNKNOWN', isBusy: false }, units: [], faults: [] })
})

t.test('faults that are not active are kept apart from those that are', async t => {
  const fault = (code: string, severity: string) => ({ code, severity })
  const view = of(model, 'viewOf')({
    _printer_state: {
      hms_errors: [fault('a', 'Error'), fault('b', 'Fatal'), fault('c', 'Historical'), { ...fault('d', 'Historical'), ignored: true },
        { ...fault('e', 'Warning'), cancelled: true }]
    }
  }) as Record<'faults' | 'pastFaults' | 'ignoredFaults', { code: string }[]>
  t.same(view.faults.map(({ code }) => code), ['a', 'b'])
  t.same(view.pastFaults.map(({ code }) => code), ['c', 'e'], 'one beside a cancellation needs nobody')
  t.same(view.ignoredFaults.map(({ code }) => code), ['d'])
})

t.test('places are known by the numbers that routes take', async t => {
  const tray = of(model, 'trayIdOf')
  const places = [[0, 3], [2, 1], [16, 1], [128, 0], [129, 0], [-1, 254]]
  t.same(places.map(([ams, slot]) => tray(ams, slot)), [3, 9, 1, 128, 129, 254])
  const view = of(model, 'viewOf')({
    _printer_state: {
      active_tray_id: 9,
      active_tray_state: 'LOADED',
      ams_units: [{ ams_id: 2, model: 'AMS_1', tray_exists: [false, true] }, { ams_id: 128, model: 'AMS_HT', tray_exists: [true] }],
      spools: [{ id: 9, ams_id: 2, slot_id: 1, type: 'PLA', color: 'red', remaining_percent: -1 },
        { id: 16, ams_id: 128, slot_id: 0, type: 'PA', color: '#00FF00FF', remaining_percent: 40 }]
    }
  }) as { units: { name: string, slots: object[] }[] }
  t.same(view.units.map(({ name }) => name), ['AMS C', 'AMS HT A'])
  t.match(view.units[0]?.slots, [{ there: false, inUse: false }, { tray: 9, color: 'red', left: undefined, inUse: true }])
  t.match(view.units[1]?.slots, [{ tray: 128, color: '#00ff00', left: 40, inUse: false }])
})

t.test('an error and the entry that repeats it are one fault', async t => {
  const error = { type: 'device_error', code: 'HMS_0500-809C' }
  const echo = { type: 'device_hms', code: 'HMS_0500-809C-0003-809C' }
  const other = { type: 'device_hms', code: 'HMS_0500-0500-0001-0007', severity: 'Historical' }
  const view = of(model, 'viewOf') as (doc: object) => { faults: object[], pastFaults: object[] }
  const { faults, pastFaults } = view({ _printer_state: { hms_errors: [error, echo, other] } })
  t.match([faults, pastFaults], [[error], [other]])
  t.match(view({ _printer_state: { hms_errors: [echo] } }).faults, [echo], 'alone it counts')
})

t.test('spools are proposed by type and colour, and kept where the service chose', async t => {
  const spools = [{ tray: 0, ams: 0, type: 'PLA', colors: ['black'] }, { tray: 1, ams: 0, type: 'PLA', colors: ['red', '#eeeeee'] },
    { tray: 2, ams: 0, type: 'PETG', colors: ['white'] }, { tray: 254, ams: -1, type: 'ABS', colors: ['white'] }]
  const propose = of(mapping, 'proposalOf')
  const filaments = [{ id: 1, type: 'PLA', color: '#FFFFFF' }, { id: 3, type: 'ABS', color: '#FFFFFF' }]
  t.same(propose(filaments, undefined, spools), [1, -1, -1], 'external spools only by choice')
  t.same(propose(filaments, [0, -1, 2], spools), [0, -1, 2])
  const black = [{ id: 1, type: 'PLA', color: '#000000' }]
  t.same(propose(black, undefined, [{ tray: 5, ams: 1, type: 'PLA', colors: [] }, ...spools]), [0], 'unknown is not black')
  const plain = [{ id: 1, type: 'PLA', color: '' }]
  t.same(propose(plain, undefined, [{ tray: 5, ams: 1, type: 'PLA', colors: ['white'] }, ...spools]), [5], 'no colour is not black')
  t.same(of(mapping, 'unmapped')(filaments, [1, -1, -1]), [filaments[1]])
  t.same(of(mapping, 'withTray')([1, -1, -1], 3, 254), [1, -1, 254])
})

t.test('a refusal is not said twice', async t => {
  const lines = of(mapping, 'warningLines')
  const warnings = [{ message: 'It is PETG.' }, { message: 'It is blue.' }]
  t.same(lines({ warnings, error: "Nothing was sent to 'p1s': It is PETG. Accept it." }), ['It is PETG.', 'It is blue.'])
  t.same(lines({ warnings, error: 'Another nozzle.' }), ['Another nozzle.', 'It is PETG.', 'It is blue.'])
  t.same(lines({ warnings: [], error: 'Another nozzle.' }), ['Another nozzle.'])
  t.same(lines({ warnings: [], error: '' }), [])
})

t.test('a consent holds for what it was given for', async t => {
  const warnings = [{ message: 'It is blue.', needs_accept: true }, { message: 'Little is left.', needs_accept: false }]
  t.same(of(mapping, 'consentOf')({ warnings }), ['It is blue.'])
  const view = of(model, 'viewOf')
  const at = (state: string, began: number, color = '#FF0000') => of(mapping, 'conditionsOf')(view({
    _printer_state: {
      gcode_state: state,
      ams_units: [{ ams_id: 0, tray_exists: [true] }],
      spools: [{ ams_id: 0, slot_id: 0, type: 'PLA', color, remaining_percent: began }]
    },
    _active_job_info: { wall_start_time: began, subtask_name: 'vase' }
  }))
  t.equal(at('FINISH', 10), at('IDLE', 10))
  t.not(at('FINISH', 10), at('RUNNING', 20), 'something is printed')
  t.not(at('FINISH', 10), at('FINISH', 20), 'something was printed meanwhile')
  t.not(at('FINISH', 10), at('FINISH', 10, '#00FF00'), 'another spool')
})

t.test('objects lie in the picture as on the bed', async t => {
  const objects = [{ id: 7, name: 'a', val: [0, 0, 32, 32] }, { id: 8, name: 'b', val: [128, 128, 256, 256] }]
  const boxes = of(plate, 'platesBoxes')
  t.match(boxes(objects, [256, 256]), [
    { id: 8, number: 2, x: 256, y: 0, width: 256, height: 256 },
    { id: 7, number: 1, x: 0, y: 448, width: 64, height: 64 }
  ])
  const tower = { id: 1000, name: 'wipe_tower', val: [200, 200, 240, 240] }
  t.same(boxes([tower, objects[0]], [256, 256]), boxes([objects[0]], [256, 256]), 'the wipe tower is not offered')
  t.match(boxes([objects[0]], [512, 256]), [{ x: 0, y: 352, width: 32, height: 32 }], 'a wide bed stands in the middle')
})

t.test('a printer that slices is busy, as elsewhere', async t => {
  const view = of(model, 'viewOf')
  const isBusy = (state: string) =>
    (view({ _printer_state: { gcode_state: state }, _active_job_info: {} }) as { job: { isBusy: boolean } }).job.isBusy
  t.same(['SLICING', 'RUNNING', 'IDLE'].map(isBusy), [true, true, false])
})
