import t from 'tap'
import { createCpuBudget } from '../../../core/printer/cpu-budget.js'
import { eventually } from '../../helpers/eventually.js'

/** Work that takes as long as it says, by a clock of its own. */
function bench () {
  const clock = { now: 0 }
  const fairness = createCpuBudget(() => clock.now)
  let done = 0
  return {
    clock,
    fairness,
    work: (ms: number) => fairness.run(() => { clock.now += ms }, () => { done++ }),
    get done () { return done }
  }
}

t.test('light work goes on at once', async t => {
  const one = bench()
  for (let at = 0; at < 9; at++) one.work(5)
  t.equal(one.done, 9)
})

t.test('once half of the window is used up the next message waits', async t => {
  const one = bench()
  for (let at = 0; at < 4; at++) one.work(12)
  t.equal(one.done, 4)
  one.work(2)
  t.equal(one.done, 4, 'not at once')
  await eventually(() => one.done === 5, 1_000, 5)
})

t.test('one long piece of work waits too, and is never dropped', async t => {
  const one = bench()
  one.work(400)
  t.equal(one.done, 0)
  await eventually(() => one.done === 1, 1_000, 5)
})

t.test('a new window begins with a full share', async t => {
  const one = bench()
  one.work(40)
  one.clock.now = 101
  one.work(40)
  t.equal(one.done, 2)
})

t.test('stopping forgets what waits', async t => {
  const one = bench()
  one.work(60)
  one.fairness.stop()
  await new Promise(resolve => setTimeout(resolve, 150))
  t.equal(one.done, 0)
})

t.test('a flooding printer leaves half of the time to others', async t => {
  const fairness = createCpuBudget()
  let messages = 0
  let others = 0
  const busy = () => { for (const end = performance.now() + 4; performance.now() < end;) messages++ }
  let flooding = true
  const flood = () => { if (flooding) fairness.run(busy, flood) }
  const timer = setInterval(() => { others++ }, 1)
  flood()
  await eventually(() => others >= 20)
  flooding = false
  clearInterval(timer)
  fairness.stop()
  t.ok(messages > 0)
})
