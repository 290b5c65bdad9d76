import t from 'tap'
import { ChamberTarget, type StoredTarget } from '../../../plugins/external-chamber/chamber-target.js'

function scene (stored: StoredTarget) {
  let kept = stored
  const told: string[] = []
  const context = { chamber: { targetC: 0, at: 0 } }
  const state = { job: { gcodeState: '' } }
  const target = new ChamberTarget({
    monitor: { aim: celsius => told.push(`aim ${celsius}`), assume: celsius => told.push(`assume ${celsius}`) },
    store: { get: () => kept, set: async next => { kept = next } },
    serves: () => true,
    warn: error => { throw error }
  })
  const session = {
    context,
    state,
    config: { serial: 'S' },
    rememberChamberTarget (celsius: number) {
      context.chamber = { targetC: celsius, at: 1 }
      target.see(session as never)
    }
  }
  const see = (gcodeState: string) => {
    state.job.gcodeState = gcodeState
    target.see(session as never)
    return told.splice(0)
  }
  return { target, session, see, told, kept: () => kept }
}

t.test('a target of an earlier run is known again while its job runs, and nothing is switched on', async t => {
  const { see, session, kept } = scene({ serial: 'S', celsius: 60 })
  t.same(see(''), [], 'nothing is known of the job yet')
  t.same(see('RUNNING'), ['assume 60', 'aim 60'])
  t.same(session.context.chamber.targetC, 60, 'the end of the job will find it')
  session.rememberChamberTarget(0)
  t.same(kept(), { serial: 'S', celsius: 0 })
})

t.test('a job that ended meanwhile leaves no heater on', async t => {
  const { see, kept } = scene({ serial: 'S', celsius: 60 })
  t.same(see('FAILED'), ['aim 0'])
  t.same(kept(), { serial: 'S', celsius: 0 })
})

t.test('a printer that is gone takes its target along, one of another printer is not taken over', async t => {
  const { target, see, told, kept } = scene({ serial: 'OTHER', celsius: 60 })
  t.same(see('RUNNING'), [])
  target.leave()
  t.same(told, ['aim 0'])
  t.same(kept(), { serial: '', celsius: 0 })
  target.leave()
  t.same(told, ['aim 0'])
})
