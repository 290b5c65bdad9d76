import t from 'tap'
import { jobReason } from '../../../../plugins/queue/decide/job-reason.js'
import { pageModules } from '../../../helpers/page-module.js'
import { queueView, waitingJob } from '../views.js'

t.test('why a job waits has the times of the reader, not those of the service', async t => {
  const { wordsOf } = await pageModules(['queue/page/lib.js'], {
    packages: {
      components: {},
      preact: {},
      'preact/hooks': {},
      shell: { hasText: () => true, t: (key: string, values: object) => `${key} ${JSON.stringify(values)}`, timeText: (at: number) => `local ${at}` }
    }
  })
  const notBefore = Date.UTC(2040, 0, 1)
  const why = jobReason(waitingJob('j', { notBefore }), queueView([], [], []))
  t.equal(wordsOf({ reason: '', why }), `queue.reason.not_before {"time":"local ${notBefore}","time_at":${notBefore}}`)
  t.match(why, { values: { time: '2040-01-01 00:00 UTC' } }, 'others read it as before')
  const hours = { code: 'group_hours', values: { group: 'g', from: '08:00', to: '18:00', from_at: 1, to_at: 2 } }
  t.match(wordsOf({ reason: '', why: hours }), /"from":"local 1","to":"local 2"/)
  t.match(wordsOf({ reason: '', why: { code: 'held', values: {} } }), /held/)
})
