import t from 'tap'
import { resolveModel } from '../../../../core/index.js'
import { decide } from '../../../../plugins/queue/decide/index.js'
import { checkWarming, usualSoak, type Warming } from '../../../../plugins/queue/soak/usual.js'
import { finder, printerView, queueView, slicedFile, tray, waitingJob } from '../views.js'

const TABLE: Warming = checkWarming({
  rows: [{ material: ' abs ', bed: 105, chamber: 60, minutes: 20 }, { material: 'ASA', bed: 90, chamber: null, minutes: 10 }],
  otherwise: 'ask'
})
const plate = (...types: string[]) => ({ filaments: types.map(type => ({ type })) as never })
const model = (serial: string) => resolveModel(`${serial}00A000000001`)

t.test('the table of materials says what a plate is warmed to, as far as its printer can', async t => {
  t.same(usualSoak(TABLE, plate('ABS')), { bedC: 105, chamberC: 60, minutes: 20, otherwise: 'ask' })
  t.same(usualSoak(TABLE, plate('abs', 'ASA')), { bedC: 90, chamberC: 0, minutes: 10, otherwise: 'ask' }, 'the lowest figures of all its materials')
  t.equal(usualSoak(TABLE, plate('ABS', 'PLA')), undefined, 'nothing if one of them is not in the table')
  t.equal(usualSoak(TABLE, plate('ABS-GF')), undefined)
  t.equal(usualSoak(TABLE, plate()), undefined)
  t.equal(usualSoak({ rows: [], otherwise: 'ask' }, plate('ABS')), undefined)
  const mini = model('030')
  t.match(usualSoak(TABLE, plate('ABS'), mini), { bedC: mini.bedMaxC, chamberC: 0 }, 'no chamber that is not measured')
  t.ok(mini.bedMaxC < 105)
  for (const rows of [[{ ...TABLE.rows[0]! }, { ...TABLE.rows[0]!, material: 'Abs' }], [{ ...TABLE.rows[0]!, material: '  ' }]]) {
    t.throws(() => checkWarming({ rows, otherwise: 'ask' }), { code: 'PRN_ERR_BAD_INPUT' })
  }
})

t.test('what a job says of warming comes before the table, and a job that says nothing gets what the printer can', async t => {
  const choose = await finder()
  const abs = slicedFile('a', { type: 'ABS' })
  const printer = printerView('p', { trays: [tray(0, 'ABS', '#FFFFFF')] })
  const soakOf = (needs: object, warming = TABLE) =>
    decide(queueView([printer], [waitingJob('j', {}, needs)], [abs], { warming }), choose).starts.map(({ soak }) => soak)
  t.match(soakOf({}), [{ bedC: 105, chamberC: 60, minutes: 20 }])
  t.same(soakOf({ soak: null }), [undefined], 'without')
  t.match(soakOf({ soak: { bedC: 50, chamberC: 0, minutes: 1, otherwise: 'start' } }), [{ bedC: 50, minutes: 1 }])
  t.match(soakOf({}, { ...TABLE, rows: [{ material: 'ABS', bed: 70, chamber: null, minutes: 5 }] }), [{ bedC: 70 }], 'another table counts at once')
  t.same(soakOf({}, { rows: [], otherwise: 'ask' }), [undefined])
})
