import t from 'tap'
import { createClock, createManualClock, createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { listen } from './listener.js'

t.test('a manual clock runs what falls due, in order', async t => {
  const clock = createManualClock(100)
  const seen: string[] = []
  const note = (what: string) => (): void => { seen.push(`${what} ${clock.now()}`) }
  clock.after(30, note('late'))
  const end = clock.every(10, note('tick'))
  clock.after(10, note('first'))
  clock.after(10, () => clock.after(5, note('nested')))
  const cancel = clock.after(20, note('never'))
  cancel()
  clock.advance(9)
  t.same(seen, [])
  clock.advance(21)
  t.same(seen, ['tick 110', 'first 110', 'nested 115', 'tick 120', 'late 130', 'tick 130'])
  end()
  clock.advance(1000)
  t.equal(seen.length, 6)
  t.equal(clock.now(), 1130)
})

t.test('real time runs as fast as asked', async t => {
  // Its timers do not hold the process, so something else must.
  const hold = setTimeout(() => {}, 5000)
  t.teardown(() => clearTimeout(hold))
  const clock = createClock(100)
  const began = clock.now()
  const fired = await new Promise<number>(resolve => clock.after(3000, () => resolve(clock.now())))
  t.ok(fired - began >= 2900 && fired - began < 300_000, 'three seconds of its own passed')
  let ticks = 0
  await new Promise<void>(resolve => {
    const end = clock.every(500, () => {
      if (++ticks < 3) return
      end()
      resolve()
    })
  })
  t.equal(ticks, 3)
  clock.after(0, () => t.fail('cancelled'))()
})

t.test('impossible speeds are refused', async t => {
  for (const speed of [0, -1, NaN, Infinity]) t.throws(() => createClock(speed), RangeError)
})

t.test('at 600 times real time an hour passes in seconds', async t => {
  const printer = createVirtualPrinter({ model: 'P1S', speed: 600, reportEveryMs: 50 })
  await printer.start()
  t.teardown(() => printer.stop())
  const { wait } = await listen(t, printer)
  const finished = wait(({ print }) => print?.gcode_state === 'FINISH', 'end of the job')
  printer.startJob({ minutes: 20 })
  t.equal((await finished).print.mc_percent, 100)
})
