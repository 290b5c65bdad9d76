import t from 'tap'
import { ShownJobs, type Shown } from '../../../../plugins/history/shown-jobs.js'

t.test('a job shown before the first print is stored until there is a print', async t => {
  const stored: Shown[] = []
  const jobs = new ShownJobs({}, shown => stored.push(shown))
  const cube = { taskId: '7', subtaskId: '', subtaskName: 'cube', plate: 1 }
  jobs.note('S', cube, false)
  jobs.note('S', { ...cube }, false)
  t.same(stored, [{ S: cube }], 'the same job is stored once')
  t.same(jobs.get('S'), cube)
  jobs.note('S', cube, true)
  jobs.note('S', cube, true)
  t.same(stored, [{ S: cube }, {}])
  t.equal(jobs.get('S'), undefined)
})
