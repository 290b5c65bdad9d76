import t from 'tap'
import { eventually } from '../../../helpers/eventually.js'
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
