import t from 'tap'
import { lateAlert } from '../../../../plugins/history/late-alert.js'
import type { Print } from '../../../../plugins/history/types.js'

const print = (fields: object) => ({ job: { subtaskName: 'cube', plate: 2 }, file: 'cube.gcode.3mf', layer: 7, percent: 57, ...fields }) as Print

t.test('the alert of a print whose end nobody saw says how long ago it may have been', async t => {
  t.match(lateAlert(print({ result: 'finished' }), 60_000, 660_000), {
    type: 'job_finished', severity: 'high', payload: { subtask_name: 'cube', plate_num: 2, ended_unseen: true, unseen_min: 10 }
  })
  t.match(lateAlert(print({ result: 'cancelled' }), undefined, 0), {
    type: 'job_failed', severity: 'medium', payload: { cancelled: true, percent: 57 }
  })
  t.notOk('unseen_min' in lateAlert(print({ result: 'failed' }), undefined, 0).payload)
})
