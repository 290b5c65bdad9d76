import t from 'tap'
import { eventually } from '../../../helpers/eventually.js'
import type { Run } from '../../../../plugins/queue/types.js'
import { starting } from './starting.js'

t.test('what is warmed is switched off when the database goes away', async t => {
  const { printer, starts, keeper, told, heats, takeAway, begin } = starting()
  begin()
  await eventually(() => printer.sent.length === 1)
  takeAway()
  await starts.settled()
  t.same(printer.sent, ['M140 S60', 'M140 S0'])
  keeper.see()
  takeAway(false)
  printer.heat.bed.target = 60 // by a person, who wants the same
  keeper.see({ heats, runs: [] })
  await eventually(() => heats.size === 0)
  t.same(printer.sent.length, 2, 'what is over is only recorded once that is possible')
  t.same(told, [])
})

t.test('a printer that is claimed when its warming is given up is cooled without the database, or somebody is told', async t => {
  const { printer, starts, keeper, told, takeAway, begin } = starting()
  begin()
  await eventually(() => printer.sent.length === 1)
  printer.claimed = true
  takeAway()
  await starts.settled()
  let now = Date.now()
  printer.kernel.now = () => now
  for (let minute = 0; minute < 8; minute++) {
    now += 60_000
    keeper.see()
    await keeper.settled()
  }
  t.match(told, [/heated to 60 °C .* could not be switched off: it may be hot/])
  printer.claimed = false
  keeper.see()
  await keeper.settled()
  t.same(printer.sent, ['M140 S60', 'M140 S0'])
})

t.test('nothing is heated that is not known after a kill', async t => {
  const { printer, starts, ended, heats, refused, begin } = starting()
  refused.add('file')
  begin()
  await eventually(() => ended.length === 1)
  await starts.settled()
  t.same(printer.sent, [])
  t.match(ended, [{ state: 'not_started', reason: /could not be written down before/, holdsJob: false }])
  t.equal(heats.size, 0)
})

t.test('a job that a person wants held is held even if that cannot be stored at first', async t => {
  const { printer, starts, told, ended, run, heats, refused, begin } = starting()
  refused.add('end')
  begin()
  await eventually(() => [...heats.values()][0]?.warmAt)
  printer.heat.bed.target = 20
  await starts.settled()
  t.match(told, [/^cube: somebody has set its bed to 20 °C/])
  t.same(ended, [])
  refused.clear()
  await starts.endAbandoned(run.current as never)
  t.match(ended, [{ state: 'not_started', holdsJob: true, reason: /somebody has set its bed/, from: ['preparing'] }])
})

t.test('a warmed print takes the turn of its groups as they are called by then', async t => {
  const { starts, spacings, turns, onRead, ended, begin } = starting({ minutes: 0 })
  const named = (group: string) => [{ group, ms: 1_000, names: ['x1c'], serials: [] }]
  spacings.current = named('old')
  let reads = 0
  onRead.current = () => { if (++reads === 2) spacings.current = named('new') }
  begin()
  await eventually(() => ended.length === 1)
  await starts.settled()
  t.same(turns, ['new'])
})

t.test('heat of an earlier start is switched off although nothing can be stored', async t => {
  const { printer, runner, heats, runs, refused } = starting()
  printer.heat.bed.target = 60
  const run = { id: 'run', serial: printer.session.config.serial, owner: 'me', state: 'preparing' } as Run
  runs.push(run)
  const heat = { run: 'run', printer: 'x1c', owner: 'me', bedC: 60, chamberC: 0, minutes: 5, heatedAt: 0, warmAt: undefined }
  heats.set(run.serial, heat)
  for (const method of ['end', 'endHeat']) refused.add(method)
  runner.wake()
  await eventually(() => printer.sent.length === 1)
  t.same(printer.sent, ['M140 S0'])
  await runner.close()
})

t.test('turns without the database go on switching off', async t => {
  const { printer, runner, decide, takeAway } = starting()
  decide()
  runner.wake()
  await eventually(() => printer.sent.length === 1)
  let tries = 0
  const { exclusively } = printer.session
  const refusing = async () => {
    tries++
    throw new Error('claimed')
  }
  Object.assign(printer.session, { exclusively: refusing })
  takeAway()
  await eventually(() => tries > 3)
  Object.assign(printer.session, { exclusively })
  await eventually(() => printer.sent.length === 2)
  t.same(printer.sent, ['M140 S60', 'M140 S0'])
  await runner.close()
})
