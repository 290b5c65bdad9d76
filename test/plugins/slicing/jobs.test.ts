import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SlicingJobs, type JobWork, type StoredJob } from '../../../plugins/slicing/jobs.js'
import type { SlicingResult } from '../../../plugins/slicing/schemas.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

const RESULT: SlicingResult =
  { file: 'f', name: 'n', seconds: 60, grams: 1, layers: 5, height_mm: 1, slicer: 'Slicer 1', findings: [] }
const ORDER = { parts: [{ model: 'm' }] }

function openIn (folder: string, work: (job: StoredJob, work: JobWork) => Promise<SlicingResult>) {
  return SlicingJobs.open({ folder, now: () => 1_000, work, warn () {} })
}
const until = (job: () => StoredJob, state: StoredJob['state']) => eventually(() => job().state === state)
/** Never ends by itself. */
const hang = (_job: StoredJob, { signal }: JobWork) => new Promise<SlicingResult>((_resolve, reject) => {
  signal.addEventListener('abort', () => reject(new Error('aborted', { cause: signal.reason })), { once: true })
})
const about = (name: string) => ({ name, printer: 'p', by: 'anna' })

t.test('plates are sliced one after the other, and cancelled wherever they are', async t => {
  const folder = testFolder(t)
  const begun: string[] = []
  const jobs = await openIn(folder, async (job, work) => {
    begun.push(job.name)
    work.onStep(40.7, 'slicing')
    return job.name === 'quick' ? RESULT : await hang(job, work)
  })
  const first = await jobs.add(ORDER, about('first'))
  const second = await jobs.add(ORDER, about('second'))
  const third = await jobs.add(ORDER, about('quick'))
  await until(() => jobs.find(first.id), 'running')
  t.match(jobs.find(first.id), { percent: 40, step: 'slicing', created_by: 'anna' })
  t.same(begun, ['first'], 'the others wait')
  t.match(await jobs.cancel(second.id), { state: 'cancelled' })
  t.match(await jobs.cancel(first.id), { state: 'cancelled', ended_at: 1_000 })
  await until(() => jobs.find(third.id), 'done')
  t.same(begun, ['first', 'quick'])
  t.match(jobs.find(third.id), { percent: 100, result: RESULT })
  t.same(readdirSync(folder).filter(name => name.startsWith('work')), [], 'nothing is left of them')
  t.match(await jobs.cancel(third.id), { state: 'done' }, 'what is done stays done')
  t.throws(() => jobs.find('nobody'), { code: 'PRN_ERR_NO_SLICING_JOB' })

  const given = new AbortController()
  const asked = await jobs.add(ORDER, about('asked'))
  const ended = jobs.ended(asked.id, given.signal)
  given.abort(new Error('the caller has gone'))
  await t.rejects(ended, /the caller has gone/)
  t.equal(jobs.find(asked.id).state, 'cancelled', 'nobody waits for it any more')
  const running = await jobs.add(ORDER, about('long'))
  await until(() => jobs.find(running.id), 'running')
  for (let at = 0; at < 130; at++) await jobs.cancel((await jobs.add(ORDER, about(`cancelled ${at}`))).id)
  t.equal(jobs.find(running.id).state, 'running', 'what runs is never forgotten')
  t.ok(jobs.list().length <= 120)
  await jobs.cancel(running.id)
  for (let at = 0; at < 20; at++) await jobs.add(ORDER, about(`waits ${at}`))
  await t.rejects(jobs.add(ORDER, about('one too many')), { code: 'PRN_ERR_TOO_MANY_SLICING_JOBS' })
  await jobs.close()
})

t.test('a plate that was interrupted is begun again, but not for ever', async t => {
  const folder = testFolder(t)
  let begun = 0
  const hangs: typeof hang = (...work) => {
    begun++
    return hang(...work)
  }
  // Services that are killed: nothing of them is ended.
  const one = await openIn(folder, hangs)
  const { id } = await one.add(ORDER, about('heavy'))
  await eventually(() => begun === 1)
  const two = await openIn(folder, hangs)
  two.start()
  await eventually(() => begun === 2)
  const three = await openIn(folder, hangs)
  t.match(three.find(id), { state: 'failed', error: /twice/ })
  t.notOk(existsSync(join(folder, `work-${id}`)), 'what it wrote is gone')

  const again = await three.add(ORDER, about('light'))
  await eventually(() => begun === 3)
  await three.close()
  const four = await openIn(folder, async () => RESULT)
  t.match(four.find(again.id), { state: 'waiting', attempts: 0 }, 'an orderly end is not its fault')
  four.start()
  await until(() => four.find(again.id), 'done')
  await four.close()
  await one.close()
  await two.close()
})
