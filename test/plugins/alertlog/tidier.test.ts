import t from 'tap'
import { DatabaseUnavailable } from '../../../plugins/database/index.js'
import { Tidier } from '../../../plugins/alertlog/tidier.js'
import { eventually } from '../../helpers/eventually.js'
import { alert, logOfAlerts } from './log-of-alerts.js'

const NOON = Date.UTC(2026, 0, 1, 12)

t.test('what two services raise of one failure stands once', async t => {
  const { database, keep, rows } = await logOfAlerts(t)
  const shared = { query: database.query, status: { ...database.status, kind: 'postgres' as const } }
  const tidier = new Tidier({ database: shared, now: () => NOON + 60_000, warn: error => t.fail(error.message) })
  t.teardown(() => tidier.close())
  keep(alert('job_finished', 'x1c', 1, { subtask_name: 'cube', elapsed_min: 59 }),
    alert('job_finished', 'x1c', 2, { subtask_name: 'cube', elapsed_min: 60 }),
    alert('job_failed', 'p1s', 9, { subtask_name: 'vase' }), alert('job_failed', 'p1s', 10, { subtask_name: 'vase' }),
    alert('job_failed', 'p1s', 10, { subtask_name: 'lid' }), alert('job_failed', 'p1s', 30, { subtask_name: 'vase' }))
  tidier.note(NOON)
  await eventually(async () => (await rows()).length === 4)
  t.same((await rows()).map(({ at, payload }) => `${at.slice(17, 19)} ${String(payload.subtask_name)}`),
    ['30 vase', '10 lid', '09 vase', '01 cube'], 'the first of each; a later failure of the same job is another one')
})

t.test('a failure that was a cancellation goes, also if the database was away at first', async t => {
  const { database, keep, rows } = await logOfAlerts(t)
  let isAway = true
  let failures = 0
  const flaky = {
    status: database.status,
    query: ((work: never) => isAway ? Promise.reject(new DatabaseUnavailable('away')) : database.query(work)) as typeof database.query
  }
  const tidier = new Tidier({ database: flaky, now: () => NOON, retryMs: 1, warn: () => { failures++ } })
  t.teardown(() => tidier.close())
  keep(alert('job_failed', 'x1c', 1), alert('job_failed', 'x1c', 2, { reason: 'runout' }), alert('job_failed', 'p1s', 1),
    alert('job_failed', 'x1c', 5, { cancelled: true, replaces: 'job_failed' }))
  tidier.note(NOON)
  await eventually(() => failures > 1)
  isAway = false
  await eventually(async () => (await rows()).length === 3)
  t.same((await rows()).map(({ printer, at }) => `${printer} ${at.slice(17, 19)}`).sort(), ['p1s 01', 'x1c 02', 'x1c 05'])
})

t.test('a row that comes while others are looked at does not wait for the next minute', async t => {
  const { database, keep, rows } = await logOfAlerts(t)
  let looks = 0
  const meanwhile: typeof database.query = async work => {
    const result = await database.query(work)
    if (looks++ === 0) {
      keep(alert('job_paused', 'x1c', 5, { replaces: 'job_paused', reason: 'runout' }))
      tidier.note(NOON + 5_000)
    }
    return result
  }
  const watched = { query: meanwhile, get status () { return database.status } }
  const tidier = new Tidier({ database: watched, now: () => NOON, warn: error => t.fail(error.message) })
  t.teardown(() => tidier.close())
  keep(alert('job_paused', 'x1c', 1))
  tidier.note(NOON + 1_000)
  await eventually(async () => looks > 1 && (await rows()).length === 1)
  t.match(await rows(), [{ payload: { reason: 'runout' } }])
})

t.test('once it is closed it does not look again', async t => {
  let looks = 0
  let fail: (error: Error) => void = () => {}
  const query = (() => { looks++; return new Promise((_resolve, reject) => { fail = reject }) }) as never
  const tidier = new Tidier({ database: { query, status: {} as never }, now: () => NOON, retryMs: 1, warn () {} })
  tidier.note(NOON)
  tidier.close()
  fail(new DatabaseUnavailable('away'))
  await new Promise(resolve => setTimeout(resolve, 5))
  t.equal(looks, 1)
})
