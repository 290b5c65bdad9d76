import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { createReferences } from '../../../../plugins/health/monitor/reference.js'
import { createReporter } from '../../../../plugins/health/report.js'
import type { Task } from '../../../../plugins/health/worker/tasks.js'
import { modelByName } from '../../../../core/index.js'
import { stateOf } from './helpers.js'

t.test('reports on request take turns before the thread that the monitor uses, and only so many wait', async t => {
  const begun: Task['kind'][] = []
  const controller = new AbortController()
  let end = (_error: Error): void => {}
  const report = createReporter({
    profile: 'improved',
    analyst: {
      run: task => {
        begun.push(task.kind)
        return new Promise((_resolve, reject) => { end = reject })
      },
      close: async () => {}
    },
    references: createReferences(() => 0),
    frame: async () => ({ jpeg: Buffer.from('picture'), capturedAt: 0 }),
    project: async () => ({}),
    detect: async () => [],
    now: () => 0
  }, { of: () => ({}) } as never)
  const session = { name: 'p1s', model: modelByName('P1S'), state: stateOf(), config: { host: '127.0.0.1' } } as unknown as PrinterSession
  const asked = Array.from({ length: 300 }, () =>
    report(session, { storeAsReference: false, quality: 'auto', categories: [] }, controller.signal).catch((error: Error) => error))
  const refused = await Promise.all(asked.slice(16))
  t.match(refused, refused.map(() => ({ code: 'PRN_ERR_ANALYSIS_BUSY' })))
  await new Promise(resolve => setImmediate(resolve))
  t.same(begun, ['analyse'], 'the task of the monitor would be the next')
  end(new Error('it failed'))
  await asked[0]
  await new Promise(resolve => setImmediate(resolve))
  t.equal(begun.length, 2)
  controller.abort(new Error('the caller went away'))
  end(new Error('it failed'))
  await Promise.all(asked)
  t.equal(begun.length, 2, 'nothing is done for callers that have gone')
})
