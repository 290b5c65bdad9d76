import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { createReferences } from '../../../../plugins/health/monitor/reference.js'
import { createReporter } from '../../../../plugins/health/report.js'
import type { Task } from '../../../../plugins/health/worker/tasks.js'
import { modelByName } from '../../../../core/index.js'
import { stateOf } from './helpers.js'

t.test('reports on request take turns before the thread that the monitor uses, and only so many wait', async t => {
  const begun: Task['kind'][] = []
  let frames = 0
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
    frame: async () => {
      frames++
      return { jpeg: Buffer.from('picture'), capturedAt: 0 }
    },
    project: async () => ({}),
    detect: async () => [],
    now: () => 0
  }, { of: () => ({}) } as never)
  const session = (name: string) =>
    ({ name, model: modelByName('P1S'), state: stateOf(), config: { host: '127.0.0.1' } }) as unknown as PrinterSession
  const ask = async (name: string) => await report(session(name), { storeAsReference: false, quality: 'auto', categories: [] },
    controller.signal).catch((error: Error) => error)
  const asked = [ask('p1s'), ask('p1s')]
  t.match(await ask('p1s'), { code: 'PRN_ERR_ANALYSIS_BUSY' }, 'one printer does not keep out others')
  for (let at = 0; at < 14; at++) asked.push(ask(`p${at + 2}s`))
  t.match(await ask('other'), { code: 'PRN_ERR_ANALYSIS_BUSY' })
  await new Promise(resolve => setImmediate(resolve))
  t.equal(frames, 1, 'the others look when it is their turn')
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
