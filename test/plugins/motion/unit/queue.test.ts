import t from 'tap'
import { modelByName, Refused, type PrinterContext } from '../../../../core/index.js'
import { Motion, type MotionDeps } from '../../../../plugins/motion/motion.js'
import { homeAxes, motorsOff, moveAxis } from '../../../../plugins/motion/operations.js'

const NOW = 1_000_000_000
type Store = NonNullable<ReturnType<MotionDeps['queue']>>['store']

/** A printer at rest that is homed by its report, and everything that happens in order. */
function bench (store?: Partial<Store>) {
  const events: unknown[] = []
  const clock = { steady: 0 }
  const motion = new Motion({
    now: () => NOW,
    steady: () => clock.steady,
    log: { warn: () => { events.push('warned') } } as never,
    clearer: () => undefined,
    queue: () => store && {
      store: {
        beginMove: async move => { events.push(move); return 'began' },
        endMove: async ({ until }) => { events.push(`let back from ${until - NOW}`) },
        ...store
      }
    }
  })
  const session = {
    name: 'x1',
    config: { serial: 'S1' },
    service: 'CONNECTED',
    live: true,
    model: modelByName('X1C'),
    context: { start: undefined },
    raw: { home_flag: 7 },
    state: {
      job: { gcodeState: 'IDLE' },
      activeTray: { tool: -1, state: 'LOADED' },
      ams: { statusRaw: 0, units: [] },
      extruders: [],
      extensionTool: { mounted: false, type: 'NONE' },
      errors: { faults: [] }
    },
    exclusively: (_: string, work: () => unknown) => work(),
    perform: async (_: string, { param }: { param: string }, __: unknown, check: () => void) => {
      check()
      events.push(param.trim().split('\n').find(line => /^[GM]\d/.test(line) && !/^(M211|M1002|G91)/.test(line)))
      return { confirmed: true }
    }
  }
  const context = { session, services: { motion } } as unknown as PrinterContext
  return { events, clock, context, motion, session }
}

const PAUSE = { serial: 'S1', until: NOW + 300_000, now: NOW }

t.test('the queue is paused in its database before anything moves', async t => {
  const { events, context } = bench({})
  t.same(await homeAxes.run(context, { plate_is_clear: true }), { confirmed: true })
  t.same(events, [PAUSE, 'G28'])
})

t.test('without the queue, and without its database, a printer is moved all the same', async t => {
  const alone = bench()
  await homeAxes.run(alone.context, { plate_is_clear: true })
  t.same(alone.events, ['G28'])
  const away = bench({ beginMove: async () => { throw new Error('no database') } })
  await homeAxes.run(away.context, { plate_is_clear: true })
  t.same(away.events, ['warned', 'G28'])
  t.equal(away.motion.holds.nearMs('S1'), 300_000, 'this service keeps away')
})

t.test('a job that the queue of any service is sending comes first', async t => {
  const { events, context, motion } = bench({ beginMove: async () => 'starts' })
  await t.rejects(async () => await homeAxes.run(context, { plate_is_clear: true }), { message: /about to start a job/ })
  t.same([events, motion.holds.nearMs('S1')], [[], 0])
})

t.test('what was not moved after all leaves nothing behind', async t => {
  const { events, context, session, motion } = bench({})
  const home = async () => await homeAxes.run(context, { plate_is_clear: true })
  session.perform = async () => { throw new Error('not connected') }
  await t.rejects(home, { message: 'not connected' })
  t.same(events.splice(0), [PAUSE, 'let back from 300000'])
  session.perform = async (_, __, ___, check) => {
    check()
    throw new Refused('x1', 'to home', 'it is too hot')
  }
  await t.rejects(home, { message: /too hot/ })
  t.same(events.splice(0), [PAUSE], 'somebody is at it')
  t.equal(motion.facts(session as never).movesUntil, NOW, 'and may try again at once')
  session.perform = async (_, __, ___, check) => {
    check()
    throw new Error('no answer')
  }
  await t.rejects(home, { message: 'no answer' })
  t.equal(motion.facts(session as never).movesUntil, NOW + 120_000, 'it may home all the same')
})

t.test('after a homing with a fault the printer is homed once more, unless the fault was there before', async t => {
  const { clock, context, session, motion } = bench()
  const fault = (digits: string) => ({ type: 'device_error', code: digits, digits, module: '', severity: 'Error', critical: true })
  const report = (...faults: ReturnType<typeof fault>[]) => {
    Object.assign(session.state.errors, { faults })
    motion.see(session as never)
  }
  const homeIn = async (during: () => void) => {
    clock.steady += 1_000
    await homeAxes.run(context, { plate_is_clear: true })
    clock.steady += 20_000
    during()
    clock.steady += 100_000
    return motion.homed(session as never)?.x
  }
  report(fault('OLD'))
  await motorsOff.run(context, {})
  t.equal(await homeIn(() => report(fault('OLD'), fault('NEW'))), false)
  t.equal(await homeIn(() => report(fault('OLD'), fault('NEW'))), false, 'it still stands')
  t.equal(await homeIn(() => report(fault('OLD'))), true)
})

t.test('a dry run pauses nothing', async t => {
  const { events, context } = bench({})
  t.match(await homeAxes.preview?.(context, { plate_is_clear: true }), { sends: [{ param: 'G28\n' }] })
  await t.rejects(async () => await homeAxes.preview?.(context, {}), { message: /plate_is_clear/ })
  t.same(events, [])
})

t.test('an empty plate that was seen before the last job does not count', async t => {
  const { events, context } = bench()
  const { job } = context.session.state as unknown as { job: { startedAt?: number } }
  const home = async (start: number) => await homeAxes.run(context, { plate_is_clear: true, job_start: start })
  const up = async (start: number) => await moveAxis.run(context, { direction: 'up', distance_mm: 1, plate_is_clear: true, job_start: start })
  job.startedAt = 200_500
  for (const act of [home, up]) {
    for (const start of [100, -1]) await t.rejects(async () => await act(start), { message: /another job has run/ })
  }
  delete job.startedAt // as after a restart of the service
  await t.rejects(async () => await home(200.5), { message: /another job has run/ })
  t.same(events, [])
  job.startedAt = 200_500
  await home(200.5)
  t.same(events, ['G28'])
})

t.test('after the motors were released a printer that still reports to be homed does not move', async t => {
  const { events, clock, context } = bench()
  const left = async () => await moveAxis.run(context, { direction: 'left', distance_mm: 50 })
  await left()
  clock.steady += 2_000
  await motorsOff.run(context, {})
  clock.steady += 600
  await t.rejects(left, { message: /Home it first/ })
  await homeAxes.run(context, { plate_is_clear: true })
  clock.steady += 90_000
  await t.rejects(left, 'the homing may go on')
  clock.steady += 30_000
  await left()
  t.same(events, ['G1 X-50.0 F3000', 'M18', 'G28', 'G1 X-50.0 F3000'])
})
