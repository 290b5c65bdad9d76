import t, { type Test } from 'tap'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { boot } from '../../helpers/boot-features.js'
import { bindSteady, MODELS, watchJob } from './virtual.js'

/** Under a second each on an idle machine. */
const timeout = 180_000
const CLEAN_ANALYSES = 20

async function start (t: Test, minutes: number) {
  const clock = createManualClock()
  t.teardown(bindSteady(clock))
  const booted = await boot(t, { clock, models: MODELS })
  return { printer: booted.printer, ...await watchJob(booted, clock, minutes) }
}

t.test('a print that turns to spaghetti is told of within five analyses, and its recovery', { timeout }, async t => {
  const { printer, alerts, analyse } = await start(t, 40)
  for (let minute = 0; minute < 4; minute++) t.equal((await analyse())?.verdict, 'clean')
  const lift = printer.faults.camera.spaghetti(0)
  for (let minute = 0; minute < 5 && alerts.length === 0; minute++) await analyse()
  t.match(alerts, [{ type: 'health_escalated', severity: 'high', payload: { from_verdict: 'clean' } }])
  lift()
  // It may step down to a warning first; what the tool head hides is believed for a while.
  const isClean = () => alerts.at(-1)?.payload.to_verdict === 'clean'
  for (let minute = 0; minute < 20 && !isClean(); minute++) await analyse()
  t.match(alerts.at(-1), { type: 'health_recovered', payload: { to_verdict: 'clean' } })
})

t.test('a print that goes well raises nothing', { timeout }, async t => {
  const { alerts, analyse } = await start(t, CLEAN_ANALYSES + 10)
  for (let minute = 0; minute < CLEAN_ANALYSES; minute++) t.equal((await analyse())?.verdict, 'clean', `minute ${minute}`)
  t.same(alerts, [])
})
