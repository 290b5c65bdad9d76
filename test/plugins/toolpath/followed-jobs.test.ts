import t from 'tap'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { GOOD } from './faulty-plates.js'

t.test("the state of a printer has the remaining time by the moves of its job's plate", async t => {
  const { http, printer } = await boot(t, { preset: featuresWith(toolpath), models: [{ model: 'X1C', speed: 20, reportEveryMs: 50 }] })
  await printer.card.put('/good.3mf', GOOD)
  const job = async () => (await http('GET', '/api/printer')).body._active_job_info as Record<string, unknown>
  t.equal((await job()).remaining_minutes_by_moves, null)

  const { body } = await http('GET', '/api/toolpath/layers', { file: '/good.3mf' })
  const layers = body.layers as { seconds: number }[]
  const minutes = layers.reduce((sum, { seconds }) => sum + seconds, 0) / 60

  printer.startJob({ name: 'good', layers: 120 })
  await eventually(async () => (await job()).project_info !== null)
  t.equal((await job()).remaining_minutes_by_moves, null, 'a file of that name, but with other layers')
  printer.stopJob()
  await eventually(async () => (await job()).print_type !== 'local')

  printer.startJob({ name: 'good', layers: layers.length - 1, minutes: 600 })
  await eventually(async () => (await job()).project_info !== null)
  await eventually(async () => (await job()).remaining_minutes_by_moves !== null)
  const first = (await job()).remaining_minutes_by_moves as number
  t.ok(first <= Math.round(minutes), `${first} of ${minutes}`)

  printer.stopJob()
  await eventually(async () => (await job()).remaining_minutes_by_moves === null)
})
