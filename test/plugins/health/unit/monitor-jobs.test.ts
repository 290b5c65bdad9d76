import t from 'tap'
import type { AnalysisWorker } from '../../../../plugins/health/worker/analysis-worker.js'
import { bench } from './helpers.js'

/** Needs no picture. */
const answers: AnalysisWorker = {
  run: async task => (task.kind === 'analyse'
    ? { anomaly: 0.9, hot: 0.1, strands: 0.2, diff: 0, memory: task.memory }
    : { annotated_png: new Uint8Array(1), factors_radar_png: null, health_panel_png: new Uint8Array(1) }) as never,
  close: async () => {}
}

t.test('a job that began while nothing was heard of the printer is judged anew', async t => {
  const it = bench(answers)
  t.teardown(it.stop)
  it.report({ subtaskName: 'One' })
  it.camera.jpeg = Buffer.from('picture')
  await it.tick()
  t.equal(it.track.window.length, 1)
  const { job } = it.track
  it.clock.ms += 7_200_000
  it.report({ subtaskName: 'One' })
  it.clock.ms += 60_000
  it.report({ subtaskName: 'Two' })
  t.equal(it.track.job, job, 'the same job after a gap, and a name that comes late')
  it.clock.ms += 7_200_000
  it.report({ subtaskName: 'Three' })
  t.same([it.track.job, it.track.window, it.told.at(-1)], [job + 1, [], { verdict: undefined, score: 0 }])
})

t.test('a verdict that comes after nobody watches any more is dropped', async t => {
  let done = () => {}
  const late: AnalysisWorker = {
    run: async task => {
      await new Promise<void>(resolve => { done = resolve })
      return await answers.run(task)
    },
    close: async () => {}
  }
  const it = bench(late)
  it.report()
  it.camera.jpeg = Buffer.from('picture')
  const analysis = it.tick()
  await new Promise(setImmediate)
  it.stop()
  it.monitor.forget('p1s')
  done()
  await analysis
  t.same(it.told, [])
  t.match(it.track, { result: undefined, records: [] })
})
