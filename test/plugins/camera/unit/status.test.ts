import t from 'tap'
import { createHmsCatalogue } from '../../../../core/printer/hms/index.js'
import { colorText } from '../../../../plugins/filament/index.js'
import { statusDocument } from '../../../../plugins/camera/status.js'
import { decode, dual } from '../../../core/printer/helpers/decode.js'
import { START, type Fields } from '../../../core/printer/helpers/feed.js'

const MINUTE_MS = 60_000
const statusOf = (report: Fields, context = {}) =>
  statusDocument({ state: decode(report, { context }) } as never, createHmsCatalogue())

t.test('nozzles have the numbers that the rest of the interface gives them', async t => {
  const ids = (report: Fields) => statusOf(report)?.nozzles.map(({ id }) => id)
  t.same(ids({ nozzle_temper: 25 }), [-1], 'the only one')
  t.same(ids(dual({ temp: 25 }, { temp: 26 })), [0, 1])
})

t.test('a colour is written as that of the spool', async t => {
  const loaded = (color: string) => statusOf({
    ams: {
      ams_exist_bits: '1',
      tray_exist_bits: '1',
      tray_now: '0',
      ams: [{ id: '0', tray: [{ id: '0', tray_type: 'PLA', tray_color: color, state: 11 }] }]
    }
  })?.active_filament?.color
  t.equal(loaded('FFFFFFFF'), 'white')
  t.equal(loaded('12345680'), '#12345680')
  t.equal(loaded('12345680'), colorText('12345680'))
})

t.test('a job that a person ended, and how serious its faults are', async t => {
  const status = (error: number, stopped: boolean) =>
    statusOf({ gcode_state: 'FAILED', print_error: error, stg_cur: 255 }, { stopped })
  t.match(status(0x0300400C, true), { cancelled: true, stage_name: '', hms_errors: [{ is_critical: false }] })
  t.match(status(0x03004006, false), { cancelled: false, stage_name: '', hms_errors: [{ is_critical: true }] })
})

t.test('minutes are whole ones that have passed', async t => {
  t.equal(statusOf({}, { jobClock: { startedAt: START - 1.9 * MINUTE_MS, endedAt: undefined } })?.elapsed_minutes, 1)
})
