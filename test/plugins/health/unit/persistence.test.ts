import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createPersistence } from '../../../../plugins/health/monitor/persistence.js'
import type { HealthResult } from '../../../../plugins/health/types.js'
import { testFolder } from '../../../helpers/folder.js'

const RESULT: HealthResult = {
  verdict: 'clean',
  stable_verdict: null,
  anomaly_score: 0.1,
  hot_pct: 0.2,
  strand_score: 0.3,
  diff_score: null,
  stage: 0,
  stage_name: 'Printing',
  stage_gated: false,
  success_probability: 0.9,
  decision_confidence: null,
  factor_contributions: {
    anomaly: 0.1,
    thermal: 0,
    stability: 0,
    material: 0,
    platform: 0,
    settings: 0,
    humidity: 0,
    progress: 0
  },
  layer: 3,
  total_layers: 90,
  progress_pct: 4,
  remaining_min: 77,
  gcode_state: 'RUNNING',
  ams_humidity: 3,
  status: { word: 'clean', reason: null, sight: 'clear', health: 0.9, summary: 'The print looks good.' },
  timestamp: '2026-01-02T03:04:05.000Z'
}
const fail = (message: string) => { throw new Error(message) }

t.test('a result is there after a restart, each printer in a file of its own', async t => {
  const folder = testFolder(t)
  const first = createPersistence(async () => folder, fail)
  await Promise.all([first.save('Lab/1', RESULT), first.save('lab 1', { ...RESULT, layer: 9 })])
  await first.close()
  t.equal((await readdir(folder)).length, 2)
  const second = createPersistence(async () => folder, fail)
  t.same(await second.load('Lab/1'), RESULT)
  t.match(await second.load('lab 1'), { layer: 9 })
  await second.close()
})

t.test('what is under way when it is closed is finished first', async t => {
  const parent = testFolder(t)
  const folder = join(parent, 'health')
  let open = (_path: string) => {}
  const opened = new Promise<string>(resolve => { open = resolve })
  const persistence = createPersistence(() => opened, fail)
  const saved = persistence.save('a', RESULT)
  const loaded = persistence.load('b')
  let closed = false
  const closing = persistence.close().then(() => { closed = true })
  await new Promise(setImmediate)
  t.notOk(closed, 'the folder is not even made')
  await mkdir(folder)
  open(folder)
  await closing
  await Promise.all([saved, loaded])
  t.same(await readdir(folder), ['job_health_a.json'])
})

t.test('what comes after is neither written nor read', async t => {
  const parent = testFolder(t)
  const folder = join(parent, 'health')
  const persistence = createPersistence(async () => folder, fail)
  await persistence.save('a', RESULT)
  await persistence.close()
  await rm(folder, { recursive: true })
  await persistence.save('a', undefined)
  await persistence.save('c', RESULT)
  t.equal(await persistence.load('a'), undefined)
  t.same(await readdir(parent), [], 'the folder did not come back')
})
